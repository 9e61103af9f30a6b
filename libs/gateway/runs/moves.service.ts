import { Inject, Injectable } from '@nestjs/common'
import type { Moved, Run } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { Loaded, RunStore } from '@plumbline/ports/run-store'
import { dispatch, moveRun } from '@plumbline/worker/move'
import { covers } from '../door/access'
import type { Caller } from '../door/api-keys'
import { notFound, Refusal } from '../door/problem'
import { JOBS, LOG, STORE } from '../ports'
import { promptly } from '../promptly'

type Reader = Pick<Caller, 'tenant' | 'access'>
type Compute = (run: Run, now: number) => Moved | { kind: 'stale' }

/** A run says what it read: who may read less does not see it, as if it were another tenant's. */
export const isFor = ({ tenant, access }: Reader, run: Run): boolean =>
  run.tenant === tenant && covers(access, run.access)

/** Moves that no worker reports: decisions and cancels. */
@Injectable()
export class Moves {
  constructor(
    @Inject(STORE) private readonly store: RunStore,
    @Inject(JOBS) private readonly queue: JobQueue,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async load(caller: Reader, runId: string): Promise<Loaded> {
    const loaded = await this.store.load(runId)
    if (!loaded || !isFor(caller, loaded.run)) throw notFound('run')
    return loaded
  }

  async move(caller: Reader, runId: string, compute: Compute): Promise<{ kind: 'moved' | 'stale'; run: Run }> {
    const outcome = await moveRun(this.store, runId, (run, now) => {
      if (!isFor(caller, run)) throw notFound('run')
      return compute(run, now)
    })
    if (outcome.kind === 'gone') throw notFound('run')
    if (outcome.kind === 'stale') return outcome
    if (outcome.kind !== 'moved')
      throw new Refusal('unavailable', 'The run is moving too fast to change it. Try again.', { retryAfter: 1 })
    await this.tolerant(dispatch({ store: this.store, queue: this.queue }, outcome.before, outcome.after))
    return { kind: 'moved', run: outcome.after }
  }

  // The move is saved and stands; the sweeper dispatches what this could not.
  private tolerant(dispatched: Promise<void>): Promise<void> {
    return promptly(() => dispatched).catch((error: unknown) =>
      this.log.warn({ err: error }, 'dispatch is left to the sweeper'),
    )
  }
}
