import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'bullmq'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import type { Log } from '@plumbline/platform'
import type { QueueName } from '@plumbline/ports/job-queue'
import type { InFlight } from '@plumbline/worker'

const firstPauseMs = 250
const longestPauseMs = 5_000
const errorsPerSecond = 5
const calmAfterMs = 15_000

type PauseReason = 'skew' | 'errors'

export type LaneWorker = {
  readonly queue: QueueName
  readonly lane: string
  readonly freeSlots: number
  readonly takenAt: number
  readonly paused: boolean
  took(): void
  gave(): void
  pause(reason: PauseReason): void
  resume(reason: PauseReason): void
  start(): void
  close(): Promise<void>
}

/** Pauses the worker if errors become frequent. If Redis rejects all calls, further calls would only add load. */
const pauseAfterErrors = (worker: Pick<LaneWorker, 'pause' | 'resume'>, isClosing: () => boolean): (() => void) => {
  let pauseMs = firstPauseMs
  let errors: number[] = []
  let pausedAt = 0
  return () => {
    const now = performance.now()
    errors = [...errors.filter((at) => now - at < 1_000), now]
    if (errors.length < errorsPerSecond || isClosing()) return
    errors = []
    pauseMs = now - pausedAt > calmAfterMs ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs)
    pausedAt = now
    worker.pause('errors')
    setTimeout(() => worker.resume('errors'), pauseMs).unref()
  }
}

/**
 * Returns whether the error means that a newer delivery owns the job's lock. Such an error does no harm, because the
 * store rejects the writes of the older delivery.
 */
const isLostLock = (error: Error): boolean =>
  /(missing lock|could not renew lock|lock mismatch|missing key for job|not in the active state)/i.test(error.message)

export const createLaneWorker = (worker: Worker, lane: string, concurrency: number, log: Log): LaneWorker => {
  const reasons = new Set<PauseReason>()
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
      worker.run().catch((error: unknown) => log.error({ err: error, queue: worker.name }, 'worker stopped'))
  }
  const laneWorker: LaneWorker = {
    queue: worker.name as QueueName,
    lane,
    get freeSlots() {
      return concurrency - active
    },
    get takenAt() {
      return takenAt
    },
    get paused() {
      return reasons.size > 0
    },
    took: () => {
      active += 1
      takenAt = Date.now()
    },
    gave: () => {
      active -= 1
    },
    pause: (reason) => {
      reasons.add(reason)
      settle()
    },
    resume: (reason) => {
      reasons.delete(reason)
      settle()
    },
    start: () => {
      started = true
      settle()
    },
    close: () => (closing ??= worker.close()),
  }
  const onError = pauseAfterErrors(laneWorker, () => closing !== undefined)
  worker.on('error', (error) => {
    if (isLostLock(error)) return log.debug({ err: error, queue: worker.name }, 'job lock expired before the job ended')
    log.warn({ err: error, queue: worker.name, lane }, 'queue error')
    onError()
  })
  worker.on('failed', (job, error) =>
    log.warn({ err: error, queue: worker.name, jobId: job?.id }, 'result of a job not reported to the queue'),
  )
  return laneWorker
}

/** When the process stops, its tasks have this time to put their jobs back into the queue. */
const handBackMs = 3_000

type Ports = {
  workers: LaneWorker[]
  inFlight: InFlight
  ends: { draining: AbortController; ending: AbortController }
  consumer: RedisClient
  drainMs: number
}

export const drain = async ({ workers, inFlight, ends, consumer, drainMs }: Ports): Promise<void> => {
  ends.draining.abort()
  const closed = Promise.all(workers.map((worker) => worker.close()))
  if (!(await inFlight.empty(drainMs))) inFlight.stopAll('drain')
  await inFlight.empty(handBackMs)
  const inTime = new AbortController()
  await Promise.race([closed, wait(handBackMs, undefined, { signal: inTime.signal }).catch(() => {})])
  inTime.abort()
  ends.ending.abort()
  consumer.disconnect()
  await closed
}
