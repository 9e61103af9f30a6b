import { Inject, Injectable } from '@nestjs/common'
import type { Run } from '@plumbline/flow'
import { limitOf } from '../http/concurrency-limits'
import { unlessUnavailable } from '../http/problem'
import { PORTS, type GatewayPorts } from '../ports'
import { bounds } from '../settings'
import { hasEnded } from '../present/answer'

/** Returns whether a run continues by itself. A held run may wait for hours, so waiting here is pointless. */
const continuesAlone = (run: Run): boolean => !hasEnded(run) && run.status !== 'parked'

/** `Prefer: wait`: keeps a request open until its run ends, is held, or the time is over. */
@Injectable()
export class RunWaiter {
  private readonly takeSlot = limitOf('requests with Prefer: wait open', bounds.waiting)

  constructor(@Inject(PORTS) private readonly ports: GatewayPorts) {}

  /** Takes the slot before the ask is accepted, so that a full gateway refuses it first. */
  async untilEnded(tenant: string, ask: () => Promise<Run>, seconds: number, clientClosed: AbortSignal): Promise<Run> {
    const leave = this.takeSlot(tenant, seconds * 1_000)
    try {
      return await this.following(await ask(), seconds * 1_000, clientClosed)
    } finally {
      leave()
    }
  }

  private async following(run: Run, ms: number, clientClosed: AbortSignal): Promise<Run> {
    const listener = this.ports.runHub.listen(run.id, clientClosed)
    const until = performance.now() + ms
    try {
      let last = run
      for (;;) {
        // The ask is accepted, so a store that goes away now must not make it look refused.
        last = (await unlessUnavailable(() => this.ports.store.load(run.id)))?.run ?? last
        const left = until - performance.now()
        if (!continuesAlone(last) || left <= 0 || clientClosed.aborted) return last
        if ((await listener.next(left)) === 'closed') return last
      }
    } finally {
      listener.close()
    }
  }
}
