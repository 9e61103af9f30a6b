import { Inject, Injectable } from '@nestjs/common'
import { openJobs, type Job, type Run } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { JobQueue } from '@plumbline/ports/job-queue'
import { JOBS, LOG } from '../ports'
import { promptly } from '../promptly'

type Batch = { jobs: Job[]; turn: NodeJS.Immediate | undefined; sent: PromiseWithResolvers<void> }

/** Dispatches new runs. What comes in one turn of the event loop goes out in one call: asks come in crowds. */
@Injectable()
export class Intake {
  private readonly byLane = new Map<string, Batch>()

  constructor(
    @Inject(JOBS) private readonly queue: JobQueue,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The run is saved, or on its way before these jobs; the sweeper dispatches what this cannot. */
  dispatch(run: Run): Promise<void> {
    const jobs = openJobs(run)
    if (jobs.length === 0) return Promise.resolve()
    const batch = this.byLane.get(run.lane) ?? { jobs: [], turn: undefined, sent: Promise.withResolvers<void>() }
    this.byLane.set(run.lane, batch)
    batch.jobs.push(...jobs)
    // Anew for each run, and so behind all that this turn has given the store: no job overtakes its run.
    clearImmediate(batch.turn)
    batch.turn = setImmediate(() => batch.sent.resolve(this.send(run.lane, batch.jobs)))
    return batch.sent.promise
  }

  private async send(lane: string, jobs: Job[]): Promise<void> {
    this.byLane.delete(lane)
    try {
      await promptly(() => this.queue.add(lane, jobs))
    } catch (error) {
      this.log.warn({ err: error }, 'dispatch is left to the sweeper')
    }
  }
}
