import { end, openJobs, type Job, type Run } from '@plumbline/flow'
import type { Log } from '@plumbline/platform'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store'
import type { Clock } from '../clock/clock'
import { dispatch } from '../move/dispatch'
import { moveRun } from '../move/move'

/** How often each process looks for due runs, and when a run is looked at again: a lost job is back within the sum. */
const everyMs = 1_000
const againInMs = 15_000
const perLook = 100

type Ports = {
  store: RunStore
  queue: JobQueue
  lanes: string[]
  clock: Pick<Clock, 'saw' | 'skewed'>
  log: Pick<Log, 'info' | 'warn'>
  onHealed?: (jobs: number) => void
}
export type Sweeper = {
  /** One look over all lanes; returns how many runs were due. */
  look(): Promise<number>
  stop(): Promise<void>
}

const closedReviews = (run: Run): Job[] =>
  Object.keys(run.closed)
    .filter((taskId) => taskId.startsWith('review.'))
    .map((taskId) => ({ queue: 'review', jobId: `${run.id}.${taskId}`, data: { runId: run.id, taskId } }))

/** A run past its deadline is ended; one that lost a job gets it again; one that ended is forgotten here. */
const tend = async (ports: Ports, lane: string, run: Run, now: number): Promise<number> => {
  const { store, queue } = ports
  if (run.open.length > 0 && run.deadlineAt <= now) {
    const made = await moveRun(store, run.id, (current, at) =>
      current.deadlineAt <= at ? end(current, { status: 'expired', by: 'sweeper', at }) : { kind: 'stale' },
    )
    if (made.kind === 'moved') await dispatch(ports, made.before, made.after)
    return 0
  }
  const stray = closedReviews(run)
  if (stray.length > 0) await queue.remove(lane, stray)
  if (run.open.length === 0) {
    await store.unschedule({ lane, runId: run.id })
    return 0
  }
  return queue.heal(lane, openJobs(run))
}

const tended = async (ports: Ports, lane: string, runId: string, run: Run | null, now: number): Promise<number> => {
  try {
    if (run) return await tend(ports, lane, run, now)
    await ports.store.unschedule({ lane, runId })
  } catch (error) {
    ports.log.warn({ err: error, runId }, 'a due run could not be tended; it will be looked at again')
  }
  return 0
}

const lookAt = async (ports: Ports, lane: string, now: number): Promise<number> => {
  const { store, log, onHealed } = ports
  const ids = await store.takeDue(lane, perLook, againInMs)
  const runs = ids.length > 0 ? await store.loadMany(ids) : []
  const healed = await Promise.all(ids.map((runId, n) => tended(ports, lane, runId, runs[n] ?? null, now)))
  const jobs = healed.reduce((sum, each) => sum + each, 0)
  if (jobs > 0) {
    log.info({ lane, jobs }, 'lost jobs were added again')
    onHealed?.(jobs)
  }
  return ids.length === perLook ? ids.length + (await lookAt(ports, lane, now)) : ids.length
}

/** Runs in any number of processes: a due run is taken by one of them. */
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
    for (const lane of lanes) due += await lookAt(ports, lane, now)
    return due
  }
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        looking = look()
          .catch((error: unknown) => log.warn({ err: error }, 'the sweeper cannot reach the store'))
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
