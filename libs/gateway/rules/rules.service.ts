import { createHash } from 'node:crypto'
import { Injectable } from '@nestjs/common'
import type { NewRules, ReviewDeadline, Rules, RulesView } from '@plumbline/contracts'
import { hasWords, type Hold, type HoldDeadline, type Run } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { Refusal, wrongField } from '../http/problem'
import { Common, RunPorts, withGatewayTimeout } from '../ports'
import { iso } from '../present/answer'

const freshMs = 1_000
const tenantsKept = 1_000
const minute = 60_000

type HoldCandidate = { tenant: string; id: string; question: string; threadId: string | undefined }

const percentileOf = (runId: string): number =>
  (createHash('sha256').update(runId).digest().readUInt32BE() / 2 ** 32) * 100

const reasonOf = (
  { everything, samplePercent, words }: Rules['hold'],
  { id, question }: HoldCandidate,
): Hold['reason'] => {
  if (everything) return 'parked.tenant'
  if (hasWords(question, words)) return 'parked.words'
  return samplePercent > 0 && percentileOf(id) < samplePercent ? 'parked.sample' : undefined
}

/**
 * Returns why a question is held, and the rules that can be applied only later. Rules about collections are applied
 * after routing. Rules about words are applied again to a follow-up, once the router has made it understandable without
 * the thread.
 */
const holdOf = (hold: Rules['hold'], asked: HoldCandidate): Hold | undefined => {
  const { collections, words } = hold
  const reason = reasonOf(hold, asked)
  if (reason && reason !== 'parked.sample') return { reason }
  const isOpen = asked.threadId !== undefined && words.length > 0
  return reason || collections.length > 0 || isOpen
    ? { ...(reason && { reason }), ...(collections.length > 0 && { collections }), ...(isOpen && { words }) }
    : undefined
}

const deadlineOf = ({ minutes, hours, then, escalatedMinutes }: ReviewDeadline, mayRelease: boolean): HoldDeadline => ({
  waitMs: minutes * minute,
  ...(hours && { hours }),
  then: then === 'caveat' && !mayRelease ? 'refuse' : then,
  ...(escalatedMinutes !== undefined && { escalatedMs: escalatedMinutes * minute }),
})

@Injectable()
export class TenantRules {
  private readonly kept = new Map<string, { until: number; rules: Promise<Rules> }>()

  constructor(
    private readonly common: Common,
    private readonly runPorts: RunPorts,
  ) {}

  async view(tenant: string): Promise<RulesView> {
    const { version, rules, updated } = await withGatewayTimeout(() => this.runPorts.rules.get(tenant))
    return {
      ...rules,
      version,
      updatedAt: updated && iso(updated.at),
      updatedBy: updated && updated.by,
      mayRelease: this.mayRelease(tenant),
    }
  }

  async put({ tenant, name }: Caller, { version, ...rules }: NewRules): Promise<RulesView> {
    if (rules.deadline?.then === 'caveat' && !this.mayRelease(tenant))
      throw wrongField(
        'deadline.then',
        'this tenant may not release an answer without a decision: use refuse or escalate, or ask the operator to add this tenant to MARKED_ANSWERS',
      )
    if (!(await withGatewayTimeout(() => this.runPorts.rules.put(tenant, version, rules, name))))
      throw new Refusal('rules-changed', 'Load the rules again, then change them.')
    this.kept.delete(tenant)
    return this.view(tenant)
  }

  async forAsk(asked: HoldCandidate): Promise<Pick<Run, 'hold' | 'deadline'>> {
    const { hold: rule, deadline } = await this.recent(asked.tenant)
    const hold = holdOf(rule, asked)
    return {
      ...(hold && { hold }),
      ...(deadline && { deadline: deadlineOf(deadline, this.mayRelease(asked.tenant)) }),
    }
  }

  private mayRelease(tenant: string): boolean {
    const { markedAnswers } = this.common.settings
    return markedAnswers === null || markedAnswers.includes(tenant)
  }

  /** The rules are cached for a second, because every question needs them. */
  private recent(tenant: string): Promise<Rules> {
    const now = performance.now()
    const held = this.kept.get(tenant)
    if (held && held.until > now) return held.rules
    if (this.kept.size >= tenantsKept) this.kept.clear()
    const rules = withGatewayTimeout(() => this.runPorts.rules.get(tenant)).then((read) => read.rules)
    this.kept.set(tenant, { until: now + freshMs, rules })
    rules.catch(() => this.kept.delete(tenant))
    return rules
  }
}
