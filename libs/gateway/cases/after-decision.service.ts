import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import type { LedgerEvent } from '@plumbline/contracts'
import type { DecidedRuns } from '@plumbline/adapters/redis'
import type { Run } from '@plumbline/flow'
import type { RunStore } from '@plumbline/ports/run-store'
import { hasEnded } from '../present/answer'
import { PORTS, type GatewayPorts } from '../ports'
import { bounds } from '../settings'
import { casePassages, casesOf } from './case-of'

const everyMs = 500
/** While the store is away. */
const restMs = 5_000
/** Taken by one gateway, a run is looked at by another only if that one dies. */
const againInMs = 10_000
const perLook = 20
/** The longer ago a run was decided about, the more rarely is looked whether it has ended. */
const mostMs = 60_000

/** Notes a run before a decision about it is committed, whoever commits it. */
export const notingDecisions = <Store extends RunStore>(store: Store, decided: DecidedRuns): Store => ({
  ...store,
  commit: async (commit) => {
    const decision = commit.events.find(({ type }) => type === 'decided')
    if (decision) await decided.lookAt(commit.run.id, decision.at)
    return store.commit(commit)
  },
})

/** What follows a decision once it stands: its case, and the answer that is to be kept. Done again after a crash, it comes to the same. */
@Injectable()
export class AfterDecision implements OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<void> | undefined
  private restsUntil = 0

  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  onModuleInit(): void {
    this.timer = setInterval(() => {
      if (performance.now() < this.restsUntil) return
      this.looking ??= this.look()
        .catch((error: unknown) => {
          this.restsUntil = performance.now() + restMs
          this.ports.log.warn({ err: error }, 'what follows from decisions is done later')
        })
        .finally(() => (this.looking = undefined))
    }, everyMs).unref()
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer)
    await this.looking
  }

  private async look(): Promise<void> {
    const { now, ids } = await this.ports.decided.takeDue(perLook, againInMs)
    await Promise.all(ids.map((id) => this.follow(id, now)))
  }

  private async follow(runId: string, now: number): Promise<void> {
    const { store, decided } = this.ports
    const run = (await store.load(runId))?.run
    if (!run) return decided.done(runId)
    const ledger = (await store.ledger(runId, null, bounds.ledger)).map(({ event }) => event)
    await this.putCases(run, ledger)
    const decision = ledger.findLast(({ type }) => type === 'decided')
    if (!hasEnded(run)) return decided.lookAt(runId, now + waitAfter(now - (decision?.at ?? now)))
    if (run.decision?.keep) await this.ports.keptAnswers.keep(run, await this.cited(run))
    await decided.done(runId)
  }

  private async putCases(run: Run, ledger: LedgerEvent[]): Promise<void> {
    const { store, cases } = this.ports
    if (cases.keptDays === 0 || !ledger.some(({ type }) => type === 'decided')) return
    const passages = await store.evidence(run.id, casePassages(run, ledger))
    for (const kept of casesOf(run, ledger, passages))
      if (hasEnded(run) || !(await cases.has(run.tenant, kept.value.id))) await cases.put(run.tenant, kept)
  }

  private cited(run: Run): ReturnType<RunStore['evidence']> {
    return this.ports.store.evidence(run.id, [...new Set(run.answer?.citations.map(({ passageId }) => passageId))])
  }
}

const waitAfter = (ageMs: number): number => Math.min(Math.max(ageMs, everyMs), mostMs)
