import { Injectable } from '@nestjs/common'
import type { Run } from '@plumbline/flow'
import { limitOf } from '../http/concurrency-limits'
import { unlessUnavailable } from '../http/problem'
import { RunPorts } from '../ports'
import { bounds } from '../settings'
import { hasEnded } from '../present/answer'

/** Returns false for a held run, because a reviewer may need hours. */
const continuesAlone = (run: Run): boolean => !hasEnded(run) && run.status !== 'parked'

@Injectable()
export class RunWaiter {
  private readonly takeSlot = limitOf('open requests with Prefer: wait', bounds.waiting)

  constructor(private readonly runPorts: RunPorts) {}

  /** Takes a slot before asking, so that a gateway without free slots refuses the question. */
  async untilEnded(tenant: string, ask: () => Promise<Run>, seconds: number, clientClosed: AbortSignal): Promise<Run> {
    const leave = this.takeSlot(tenant, seconds * 1_000)
    try {
      return await this.following(await ask(), seconds * 1_000, clientClosed)
    } finally {
      leave()
    }
  }

  private async following(run: Run, ms: number, clientClosed: AbortSignal): Promise<Run> {
    const listener = this.runPorts.runHub.listen(run.id, clientClosed)
    const until = performance.now() + ms
    try {
      let last = run
      for (;;) {
        // The question is already accepted, so an error here would wrongly look like a refusal.
        last = (await unlessUnavailable(() => this.runPorts.store.load(run.id)))?.run ?? last
        const left = until - performance.now()
        if (!continuesAlone(last) || left <= 0 || clientClosed.aborted) return last
        if ((await listener.next(left)) === 'closed') return last
      }
    } finally {
      listener.close()
    }
  }
}
