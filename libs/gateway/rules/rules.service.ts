import { createHash } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { NewRules, ReviewDeadline, Rules, RulesView } from '@plumbline/contracts'
import { hasWords, type Hold, type HoldDeadline, type Run } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { Refusal, wrongField } from '../http/problem'
import { PORTS, promptly, type GatewayPorts } from '../ports'
import { iso } from '../present/answer'

const freshMs = 1_000
const tenantsKept = 1_000
const minute = 60_000

type Asked = { tenant: string; id: string; question: string; threadId: string | undefined }

/** From 0 up to 100, the same for a run whenever it is asked. */
const percentileOf = (runId: string): number =>
  (createHash('sha256').update(runId).digest().readUInt32BE() / 2 ** 32) * 100

const reasonOf = ({ everything, samplePercent, words }: Rules['hold'], { id, question }: Asked): Hold['reason'] => {
  if (everything) return 'parked.tenant'
  if (hasWords(question, words)) return 'parked.words'
  return samplePercent > 0 && percentileOf(id) < samplePercent ? 'parked.sample' : undefined
}

/** What can be said at once is; the collections are known when it is routed, and the question of a thread when it stands alone. */
const holdOf = (hold: Rules['hold'], asked: Asked): Hold | undefined => {
  const { collections, words } = hold
  const reason = reasonOf(hold, asked)
  if (reason) return { reason }
  const isOpen = asked.threadId !== undefined && words.length > 0
  return collections.length > 0 || isOpen
    ? { ...(collections.length > 0 && { collections }), ...(isOpen && { words }) }
    : undefined
}

const deadlineOf = ({ minutes, hours, then, escalatedMinutes }: ReviewDeadline, mayRelease: boolean): HoldDeadline => ({
  waitMs: minutes * minute,
  ...(hours && { hours }),
  then: then === 'caveat' && !mayRelease ? 'refuse' : then,
  ...(escalatedMinutes !== undefined && { escalatedMs: escalatedMinutes * minute }),
})

/** What a tenant holds for its reviewers besides what does not stand. */
@Injectable()
export class TenantRules {
  private readonly kept = new Map<string, { until: number; rules: Promise<Rules> }>()

  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  async view(tenant: string): Promise<RulesView> {
    const { version, rules, updated } = await promptly(() => this.ports.rules.get(tenant))
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
        'nothing is released here that nobody decided: use refuse or escalate, or have the operator name this tenant in MARKED_ANSWERS',
      )
    if (!(await promptly(() => this.ports.rules.put(tenant, version, rules, name))))
      throw new Refusal('rules-changed', 'Somebody else has changed the rules. Read them again, then change them.')
    this.kept.delete(tenant)
    return this.view(tenant)
  }

  /** What the rules say of a question, for its run to keep. */
  async forAsk(asked: Asked): Promise<Pick<Run, 'hold' | 'deadline'>> {
    const { hold: rule, deadline } = await this.recent(asked.tenant)
    const hold = holdOf(rule, asked)
    return {
      ...(hold && { hold }),
      ...(deadline && { deadline: deadlineOf(deadline, this.mayRelease(asked.tenant)) }),
    }
  }

  /** A tenant with keys whom the operator has not named gets nothing that did not pass or was not decided. */
  private mayRelease(tenant: string): boolean {
    const { marked } = this.ports.settings
    return marked === null || marked.includes(tenant)
  }

  /** Asks come by the thousand; a change at another gateway counts after a second. */
  private recent(tenant: string): Promise<Rules> {
    const now = performance.now()
    const held = this.kept.get(tenant)
    if (held && held.until > now) return held.rules
    if (this.kept.size >= tenantsKept) this.kept.clear()
    const rules = promptly(() => this.ports.rules.get(tenant)).then((read) => read.rules)
    this.kept.set(tenant, { until: now + freshMs, rules })
    rules.catch(() => this.kept.delete(tenant))
    return rules
  }
}
