import { Inject, Injectable } from '@nestjs/common'
import type { Run } from '@plumbline/flow'
import type { RunStore } from '@plumbline/ports/run-store'
import { Refusal } from '../door/problem'
import { isAway } from '../door/translate'
import { STORE } from '../ports'
import { bounds } from '../settings'
import { RunHub } from './run-hub.service'
import { hasEnded } from '../present/ended'

/** `Prefer: wait`: keeps a request open until its run ends or the time is over. */
@Injectable()
export class Waiting {
  private open = 0

  constructor(
    @Inject(STORE) private readonly store: RunStore,
    private readonly hub: RunHub,
  ) {}

  /** Before the ask is accepted: a full gateway says so then, not after. */
  checkRoom(): void {
    if (this.open >= bounds.waiting)
      throw new Refusal('too-many-requests', 'Too many requests wait here. Ask without Prefer: wait, or later.', {
        retryAfter: 2,
      })
  }

  async untilEnded(run: Run, ms: number, signal: AbortSignal): Promise<Run> {
    const listener = this.hub.listen(run.id)
    const until = performance.now() + ms
    signal.addEventListener('abort', listener.close, { once: true })
    this.open += 1
    try {
      let last = run
      for (;;) {
        last = (await this.newest(run.id)) ?? last
        const left = until - performance.now()
        if (hasEnded(last) || left <= 0 || signal.aborted) return last
        if ((await listener.next(left)) === 'closed') return last
      }
    } finally {
      this.open -= 1
      signal.removeEventListener('abort', listener.close)
      listener.close()
    }
  }

  // The ask is accepted: a store that goes away now must not make it look refused.
  private async newest(runId: string): Promise<Run | undefined> {
    try {
      return (await this.store.load(runId))?.run
    } catch (error) {
      if (isAway(error)) return undefined
      throw error
    }
  }
}
