import type { JobQueue } from '@plumbline/ports/job-queue'
import type { LaneWorker } from '../lane-worker'

/** With probes every few seconds, this detects a stuck consumer within a minute. */
const stuckAfterMs = 50_000

export type Probe = {
  answers: boolean
  paused: boolean
  waiting: number
  freeSlots: number
  takenAt: number
  now: number
}

/**
 * Returns a function that judges probes. Unhealthy means: Redis answers, the stage is not paused, jobs wait, a slot
 * is free, and none was taken for all that time.
 */
export const createLiveness = (): ((probe: Probe) => boolean) => {
  let wantingSince: number | null = null
  return ({ answers, paused, waiting, freeSlots, takenAt, now }) => {
    if (!answers || paused || waiting === 0 || freeSlots <= 0) wantingSince = null
    else wantingSince ??= now
    return wantingSince === null || now - Math.max(wantingSince, takenAt) < stuckAfterMs
  }
}

const everyMs = 5_000

export type LivenessWatch = { live(): boolean; stop(): void }

/** Reads the depth of each served queue, and judges whether its worker still takes jobs. */
export const watchLiveness = (queue: JobQueue, workers: LaneWorker[]): LivenessWatch => {
  const judged = workers.map((worker) => ({ worker, judge: createLiveness(), well: true }))
  const look = async (): Promise<void> => {
    for (const each of judged) {
      const { worker, judge } = each
      const depth = await queue.depth(worker.lane, worker.queue).catch(() => null)
      const { freeSlots, takenAt } = worker
      each.well = judge({
        answers: depth !== null,
        paused: worker.paused || depth?.paused === true,
        waiting: depth?.waiting ?? 0,
        freeSlots,
        takenAt,
        now: Date.now(),
      })
    }
  }
  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    void look().finally(() => {
      looking = false
    })
  }, everyMs)
  return { live: () => judged.every(({ well }) => well), stop: () => clearInterval(timer) }
}
