import type { DueQueue } from '@plumbline/adapters/redis/client/due-queue'
import type { Run } from '@plumbline/flow'
import type { DueHandler } from '@plumbline/hosting/due-queue'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { hasEnded } from '../present/answer'
import type { OnDecision } from '../feature'
import type { Common, ReviewPorts, RunPorts } from '../ports'
import { bounds } from '../settings'

/** A decided run is checked again after a wait that is as long as the age of the decision, within these limits. */
const [leastMs, mostMs] = [500, 60_000]
const waitAfter = (ageMs: number): number => Math.min(Math.max(ageMs, leastMs), mostMs)

/** Queues the follow-up of a decision before the decision is committed, so that a crash does not lose the follow-up. */
export const recordingDecisions = <Store extends RunStore>(store: Store, decided: DueQueue): Store => ({
  ...store,
  commit: async (commit) => {
    const decision = commit.events.find(({ type }) => type === 'decided')
    if (decision) await decided.schedule(commit.run.id, decision.at)
    return store.commit(commit)
  },
})

export const citedBy = (store: RunStore, { id, answer }: Run): ReturnType<RunStore['evidence']> =>
  store.evidence(id, [...new Set(answer?.citations.map(({ passageId }) => passageId))])

/** The functions of the features that run after each decision. */
export abstract class DecisionHooks {
  abstract readonly all: readonly OnDecision[]
}

type Ports = Pick<Common & RunPorts & ReviewPorts, 'store' | 'decided' | 'pinnedAnswers' | 'log'>

export const followDecisions = ({ store, decided, pinnedAnswers, log }: Ports, hooks: DecisionHooks): DueHandler => {
  return {
    queue: decided,
    batchSize: 20,
    againInMs: 10_000,
    handle: async (runId, now) => {
      const run = (await store.load(runId))?.run
      if (!run) return 'done'
      const ledger = (await store.ledger(runId, null, bounds.ledger)).map(({ event }) => event)
      for (const hook of hooks.all) await hook(run, ledger)
      const decision = ledger.findLast(({ type }) => type === 'decided')
      if (!hasEnded(run)) return { at: now + waitAfter(now - (decision?.at ?? now)) }
      if (run.decision?.keep) await pinnedAnswers.keep(run, await citedBy(store, run))
      return 'done'
    },
    failed: 'follow-up of a decision failed: retrying',
    log,
  }
}
