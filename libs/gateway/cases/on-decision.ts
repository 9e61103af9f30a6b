import type { LedgerEvent } from '@plumbline/contracts'
import type { DueQueue } from '@plumbline/adapters/redis/client/due-queue'
import type { Run } from '@plumbline/flow'
import type { DueHandler } from '@plumbline/hosting/due-queue'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { hasEnded } from '../present/answer'
import type { GatewayPorts } from '../ports'
import { bounds } from '../settings'
import { casePassages, casesOf } from './case-of'

/** The wait before a decided run is checked again equals the age of the decision, within these limits. */
const [leastMs, mostMs] = [500, 60_000]
const waitAfter = (ageMs: number): number => Math.min(Math.max(ageMs, leastMs), mostMs)

/** Queues a run before its decision is committed, so that a crash loses no case. */
export const recordingDecisions = <Store extends RunStore>(store: Store, decided: DueQueue): Store => ({
  ...store,
  commit: async (commit) => {
    const decision = commit.events.find(({ type }) => type === 'decided')
    if (decision) await decided.schedule(commit.run.id, decision.at)
    return store.commit(commit)
  },
})

const putCases = async ({ store, cases }: GatewayPorts, run: Run, ledger: LedgerEvent[]): Promise<void> => {
  if (cases.keptDays === 0 || !ledger.some(({ type }) => type === 'decided')) return
  const passages = await store.evidence(run.id, casePassages(run, ledger))
  for (const kept of casesOf(run, ledger, passages))
    if (hasEnded(run) || !(await cases.has(run.tenant, kept.value.id))) await cases.put(run.tenant, kept)
}

export const citedBy = (store: RunStore, { id, answer }: Run): ReturnType<RunStore['evidence']> =>
  store.evidence(id, [...new Set(answer?.citations.map(({ passageId }) => passageId))])

export const onDecision = (ports: GatewayPorts): DueHandler => {
  const { store, decided, pinnedAnswers, log } = ports
  return {
    queue: decided,
    batchSize: 20,
    againInMs: 10_000,
    handle: async (runId, now) => {
      const run = (await store.load(runId))?.run
      if (!run) return 'done'
      const ledger = (await store.ledger(runId, null, bounds.ledger)).map(({ event }) => event)
      await putCases(ports, run, ledger)
      const decision = ledger.findLast(({ type }) => type === 'decided')
      if (!hasEnded(run)) return { at: now + waitAfter(now - (decision?.at ?? now)) }
      if (run.decision?.keep) await pinnedAnswers.keep(run, await citedBy(store, run))
      return 'done'
    },
    failed: 'follow-up of a decision failed: retrying',
    log,
  }
}
