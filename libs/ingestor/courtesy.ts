import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Process } from '@plumbline/worker'

const courtesy = { waitMs: 250, lookEveryMs: 10, restTimes: 3, restMs: 1_000, recentMs: 2_000 }

/**
 * Between two pieces of work whatever waits in this process has its turn. While it works on questions, a document waits for
 * them a little, and then rests longer than it worked: they find the processor and the disk free most of the time.
 */
export const givingWay = (held: Pick<Process['held'], 'size'>, own: () => number) => {
  let questionAt = -Infinity
  const asked = (): boolean => {
    const now = held.size > own()
    if (now) questionAt = performance.now()
    return now
  }
  return async (workedMs: number, signal: AbortSignal): Promise<void> => {
    await nextTurn()
    for (let waited = 0; waited < courtesy.waitMs && asked() && !signal.aborted; waited += courtesy.lookEveryMs)
      await sleep(courtesy.lookEveryMs)
    if (performance.now() - questionAt < courtesy.recentMs && !signal.aborted)
      await sleep(Math.min(workedMs * courtesy.restTimes, courtesy.restMs))
  }
}
