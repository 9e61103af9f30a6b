import { waitingOf } from '@plumbline/adapters/redis/runs/pending-decisions'
import { reviewTask, settleDecision, withCurrentActors } from '@plumbline/flow'
import type { DueHandler } from '@plumbline/hosting/due-queue'
import type { Common, ReviewPorts, RunPorts } from '../ports'
import type { Runs } from '../runs/runs.service'
import { beforeDue, needsFourEyes } from './refused-decision'

/** A queue entry is dropped after this time if its decision was never stored in the run. */
const forgottenMs = 10_000

export const dueDecisions = (
  { store, pendingDecisions, leases, settings, log, currentActor }: Common & RunPorts & ReviewPorts,
  runs: Runs,
): DueHandler => ({
  queue: pendingDecisions,
  batchSize: 50,
  againInMs: 400,
  handle: async (member, now) => {
    const { runId, at } = waitingOf(member)
    const run = (await store.load(runId))?.run
    if (!run || !reviewTask(run)) return 'done'
    const pending = reviewTask(run)?.pending
    if (pending?.at !== at) return now - at > forgottenMs ? 'done' : 'again'
    const fourEyes = needsFourEyes(settings, run.tenant)
    const { run: after } = await runs.move({ tenant: run.tenant, access: 'all' }, runId, (current, now) =>
      beforeDue(current, now, settleDecision(withCurrentActors(current, currentActor), { at, now, fourEyes })),
    )
    if (after.assignee !== run.assignee) await store.relist(after)
    const left = reviewTask(after)
    if (!left) await leases.drop(run.tenant, runId)
    // The draft needs a second approval, so the lease of the first person ends.
    else if (!left.pending) await leases.putBack(run.tenant, runId, pending.by)
    return 'done'
  },
  failed: 'a decision could not take effect: retrying',
  log,
})
