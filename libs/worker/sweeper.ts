import { end, type Job, openJobs, reviewTask, type Run } from '@plumbline/flow'
import type { Log } from '@plumbline/platform'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { Due, RunStore } from '@plumbline/ports/run-store/run-store'
import type { Clock } from './clock'
import { dispatch, lookAgainMs, moveRun } from './move'

/** The mean interval between two checks for due runs in one process. */
const everyMs = 1_000
const batchSize = 100

type Ports = {
  store: RunStore
  queue: JobQueue
  lanes: string[]
  clock: Pick<Clock, 'saw' | 'skewed'>
  log: Pick<Log, 'info' | 'warn'>
  onHealed?: (jobs: number) => void
}
export type Sweeper = {
  look(): Promise<number>
  stop(): Promise<void>
}

type TakenDue = Pick<Due, 'now' | 'nextDue'>

const closedReviews = (run: Run): Job[] =>
  Object.keys(run.closed)
    .filter((taskId) => taskId.startsWith('review.'))
    .map((taskId) => ({ queue: 'review', jobId: `${run.id}.${taskId}`, data: { runId: run.id, taskId } }))

const sweepRun = async (ports: Ports, lane: string, run: Run, { now, nextDue }: TakenDue): Promise<number> => {
  const { store, queue } = ports
  if (run.open.length > 0 && run.deadlineAt <= now) {
    const made = await moveRun(store, run.id, (current, at) =>
      current.deadlineAt <= at ? end(current, { status: 'expired', by: 'sweeper', at }) : { kind: 'stale' },
    )
    if (made.kind === 'moved') await dispatch(ports, made.before, made.after)
    return 0
  }
  const stray = closedReviews(run)
  if (stray.length > 0) await queue.remove(run.lane, stray)
  if (run.open.length === 0) {
    await store.unschedule({ lane, runId: run.id, tenant: run.tenant, usage: run.usage })
    return 0
  }
  const healed = await queue.heal(run.lane, openJobs(run))
  if (reviewTask(run)) await store.rest(run, nextDue)
  return healed
}

const sweepDueRun = async (
  ports: Ports,
  lane: string,
  runId: string,
  run: Run | null,
  taken: TakenDue,
): Promise<number> => {
  try {
    if (run) return await sweepRun(ports, lane, run, taken)
    await ports.store.unschedule({ lane, runId })
  } catch (error) {
    ports.log.warn({ err: error, runId }, 'periodic check of one run failed: retrying later')
  }
  return 0
}

const sweepLane = async (ports: Ports, lane: string): Promise<number> => {
  const { store, log, onHealed } = ports
  const { runIds, ...taken } = await store.takeDue(lane, batchSize, lookAgainMs)
  const runs = runIds.length > 0 ? await store.loadMany(runIds) : []
  const healed = await Promise.all(runIds.map((runId, n) => sweepDueRun(ports, lane, runId, runs[n] ?? null, taken)))
  const jobs = healed.reduce((sum, each) => sum + each, 0)
  if (jobs > 0) {
    log.info({ lane, jobs }, 'lost jobs added again')
    onHealed?.(jobs)
  }
  return runIds.length === batchSize ? runIds.length + (await sweepLane(ports, lane)) : runIds.length
}

/** Checks runs that are due. Every process may run a sweeper, because each due run is given to only one of them. */
export const createSweeper = (ports: Ports): Sweeper => {
  const { store, clock, lanes, log } = ports
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<unknown> = Promise.resolve()
  const look = async (): Promise<number> => {
    const before = Date.now()
    const now = await store.now()
    clock.saw(before, now, Date.now())
    if (clock.skewed) return 0
    let due = 0
    for (const lane of lanes) due += await sweepLane(ports, lane)
    return due
  }
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        looking = look()
          .catch((error: unknown) => log.warn({ err: error }, 'periodic check of runs failed: store not responding'))
          .then(() => {
            if (!stopped) schedule()
          })
      },
      everyMs * (0.75 + Math.random() / 2),
    )
  }
  schedule()
  return {
    look,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
