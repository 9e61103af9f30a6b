import { Inject, Injectable } from '@nestjs/common'
import { openJobs, type Job, type Run } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { JobQueue } from '@plumbline/ports/job-queue'
import { JOBS, LOG } from '../ports'
import { promptly } from '../promptly'

type Batch = { jobs: Job[]; done: Promise<void> }

/** Dispatches new runs. What comes in one turn of the event loop goes out in one call: asks come in crowds. */
@Injectable()
export class Intake {
  private readonly byLane = new Map<string, Batch>()

  constructor(
    @Inject(JOBS) private readonly queue: JobQueue,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The run is saved and stands; the sweeper dispatches what this cannot. */
  dispatch(run: Run): Promise<void> {
    const jobs = openJobs(run)
    if (jobs.length === 0) return Promise.resolve()
    const batch = this.byLane.get(run.lane) ?? this.open(run.lane)
    batch.jobs.push(...jobs)
    return batch.done
  }

  private open(lane: string): Batch {
    const jobs: Job[] = []
    const done = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      this.byLane.delete(lane)
      return promptly(() => this.queue.add(lane, jobs))
    })
    const batch = { jobs, done: done.catch((error: unknown) => this.log.warn({ err: error }, 'dispatch is left to the sweeper')) }
    this.byLane.set(lane, batch)
    return batch
  }
}
