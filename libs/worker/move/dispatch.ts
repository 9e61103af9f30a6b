import type { Run } from '@plumbline/flow'
import { newJobs, openJobs } from '@plumbline/flow'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store'

type Ports = { store: Pick<RunStore, 'unschedule'>; queue: JobQueue }

/** The difference between two states of a run, made true in the queues: new jobs in, a closed review out. */
export const dispatch = async ({ store, queue }: Ports, before: Run | null, after: Run): Promise<void> => {
  const added = newJobs(before, after)
  const review = before ? openJobs(before).filter((job) => job.queue === 'review') : []
  const closed = review.filter(({ data }) => !after.open.some(({ id }) => id === data.taskId))
  await Promise.all([
    added.length > 0 && queue.add(after.lane, added),
    closed.length > 0 && queue.remove(after.lane, closed),
    after.open.length === 0 && store.unschedule({ lane: after.lane, runId: after.id }),
  ])
}

/** Everything the run needs now, whatever was dispatched before: how a crash between commit and dispatch heals. */
export const dispatchAll = async ({ store, queue }: Ports, run: Run): Promise<void> => {
  const jobs = openJobs(run)
  await (jobs.length > 0 ? queue.add(run.lane, jobs) : store.unschedule({ lane: run.lane, runId: run.id }))
}
