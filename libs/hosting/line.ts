import type { Worker } from 'bullmq'
import type { Log } from '@plumbline/platform'
import type { QueueName } from '@plumbline/ports/job-queue'

const firstRestMs = 250
const longestRestMs = 5_000
const troublesPerSecond = 5
const calmAfterMs = 15_000

/** Why a worker takes no jobs for now. */
type HoldReason = 'skew' | 'trouble'

/** One running consumer of one queue and lane. */
export type Line = {
  readonly queue: QueueName
  readonly lane: string
  readonly freeSlots: number
  readonly takenAt: number
  readonly held: boolean
  took(): void
  gave(): void
  hold(reason: HoldReason): void
  release(reason: HoldReason): void
  start(): void
  close(): Promise<void>
}

/** Errors that come faster than a person reads them mean that Redis answers but refuses: asking on would only burn both. */
const resting = (line: Pick<Line, 'hold' | 'release'>, isClosing: () => boolean): (() => void) => {
  let restMs = firstRestMs
  let troubles: number[] = []
  let restedAt = 0
  return () => {
    const now = performance.now()
    troubles = [...troubles.filter((at) => now - at < 1_000), now]
    if (troubles.length < troublesPerSecond || isClosing()) return
    troubles = []
    restMs = now - restedAt > calmAfterMs ? firstRestMs : Math.min(restMs * 2, longestRestMs)
    restedAt = now
    line.hold('trouble')
    setTimeout(() => line.release('trouble'), restMs).unref()
  }
}

/** A lock that was lost belongs to a newer delivery; the store's fence has already decided between the two. */
const isLostLock = (error: Error): boolean =>
  /(missing lock|could not renew lock|lock mismatch|missing key for job|not in the active state)/i.test(error.message)

export const createLine = (worker: Worker, lane: string, concurrency: number, log: Log): Line => {
  const reasons = new Set<HoldReason>()
  let active = 0
  let takenAt = Date.now()
  let started = false
  let closing: Promise<void> | undefined
  worker.concurrency = concurrency

  const settle = (): void => {
    if (!started || closing) return
    if (reasons.size > 0) void worker.pause(true)
    else if (worker.isPaused()) void worker.resume()
    else if (!worker.isRunning())
      worker.run().catch((error: unknown) => log.error({ err: error, queue: worker.name }, 'the worker stopped'))
  }
  const line: Line = {
    queue: worker.name as QueueName,
    lane,
    get freeSlots() {
      return concurrency - active
    },
    get takenAt() {
      return takenAt
    },
    get held() {
      return reasons.size > 0
    },
    took: () => {
      active += 1
      takenAt = Date.now()
    },
    gave: () => {
      active -= 1
    },
    hold: (reason) => {
      reasons.add(reason)
      settle()
    },
    release: (reason) => {
      reasons.delete(reason)
      settle()
    },
    start: () => {
      started = true
      settle()
    },
    close: () => (closing ??= worker.close()),
  }
  const trouble = resting(line, () => closing !== undefined)
  worker.on('error', (error) => {
    if (isLostLock(error)) return log.debug({ err: error, queue: worker.name }, 'a delivery outlived its lock')
    log.warn({ err: error, queue: worker.name, lane }, 'the queue is in trouble')
    trouble()
  })
  worker.on('failed', (job, error) =>
    log.warn({ err: error, queue: worker.name, jobId: job?.id }, 'a delivery could not be settled'),
  )
  return line
}
