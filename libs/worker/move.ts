import { randomBytes } from 'node:crypto'
import { type Moved, newJobs, openJobs, reviewTask, type Run } from '@plumbline/flow'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { Commit, Committed, RunStore } from '@plumbline/ports/run-store/run-store'
import type { Base } from './run-mutex'
import { traceMove } from './trace-move'

/** A random part of each id, so that no other process creates the same id. */
const ours = randomBytes(12).toString('base64url')
let made = 0

export const uniqueId = (): string => `${ours}.${(made += 1).toString(36)}`

/**
 * How often a change is tried again because another task changed the run at the same time. The number must be larger
 * than the number of tasks that run in parallel in one run.
 */
const maxRaces = 64
/** A new or changed run is checked in the background after this time. The check restores lost jobs. */
export const lookAgainMs = 15_000

export type MovingStore = Pick<RunStore, 'commit' | 'load' | 'schedule'>

type Computed = (Moved & { before?: number }) | { kind: 'stale' }
type Compute = (run: Run) => Computed
export type MoveOutcome =
  | { kind: 'moved'; before: Run; after: Run; version: string }
  | { kind: 'stale' | 'late'; run: Run }
  | { kind: 'gone' | 'fenced' | 'lost' | 'crowded' }

type Ask = { base: Base; by: Commit['by']; compute: Compute; onBase?: (base: Base) => void }

const lookAfter = (before: Run | null, after: Run): number => {
  const soon = (after.movedAt ?? after.createdAt) + lookAgainMs
  const reviews = [before && reviewTask(before), reviewTask(after)]
  return Math.min(soon, ...reviews.flatMap((task) => task?.dueAt ?? []))
}

export const makeMove = async (store: MovingStore, { base, by, compute, onBase }: Ask): Promise<MoveOutcome> => {
  const runId = base.run.id
  for (let races = 0; races < maxRaces; races += 1) {
    const moved = compute(base.run)
    if (moved.kind === 'stale') return { kind: 'stale', run: base.run }
    const next = uniqueId()
    // The next check of a parked run may be days away. The check is therefore rescheduled before the change is stored,
    // so that a crash in between does not delay the check.
    const [review, reviewAfter] = [reviewTask(base.run), reviewTask(moved.run)]
    const isListed = review?.id === reviewAfter?.id && review?.dueAt === reviewAfter?.dueAt
    if (!isListed) await store.schedule({ lane: moved.run.lane, runId }, lookAfter(base.run, moved.run))
    const { kind }: Committed = await store.commit({
      run: moved.run,
      version: base.version,
      next,
      by,
      ...(moved.before !== undefined && { before: moved.before }),
      events: moved.events,
      evidence: moved.evidence,
      isListed,
    })
    if (kind === 'moved') {
      onBase?.({ run: moved.run, version: next })
      traceMove(base.run, moved.run)
      return { kind, before: base.run, after: moved.run, version: next }
    }
    if (kind === 'late') return { kind, run: base.run }
    if (kind !== 'raced') return { kind }
    const loaded = await store.load(runId)
    if (!loaded) return { kind: 'gone' }
    base = { run: loaded.run, version: loaded.version }
    onBase?.(base)
  }
  return { kind: 'crowded' }
}

/** `now`: the time by the store's clock. */
export const moveRun = async (
  store: MovingStore,
  runId: string,
  compute: (run: Run, now: number) => Computed,
): Promise<MoveOutcome> => {
  const loaded = await store.load(runId)
  if (!loaded) return { kind: 'gone' }
  return makeMove(store, { base: loaded, by: null, compute: (run) => compute(run, loaded.now) })
}

const refOf = ({ lane, id: runId, tenant, usage }: Run) => ({ lane, runId, tenant, usage })

type Ports = { store: Pick<RunStore, 'unschedule' | 'rest'>; queue: JobQueue }

export const dispatch = async ({ store, queue }: Ports, before: Run | null, after: Run): Promise<void> => {
  const added = newJobs(before, after)
  const review = before ? openJobs(before).filter((job) => job.queue === 'review') : []
  const closed = review.filter(({ data }) => !after.open.some(({ id }) => id === data.taskId))
  await Promise.all([
    added.length > 0 && queue.add(after.lane, added),
    closed.length > 0 && queue.remove(after.lane, closed),
    after.open.length === 0 && store.unschedule(refOf(after)),
  ])
  if (reviewTask(after)) await store.rest(after, lookAfter(before, after))
}

export const dispatchAll = async ({ store, queue }: Ports, run: Run): Promise<void> => {
  const jobs = openJobs(run)
  await (jobs.length > 0 ? queue.add(run.lane, jobs) : store.unschedule(refOf(run)))
}
