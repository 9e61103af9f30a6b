import type { JobQueue } from '@plumbline/ports/job-queue'
import type { LaneWorker } from '../lane-worker'

/**
 * A worker that takes no job for this time is stuck if jobs wait and it has free slots. The limit is below a minute, so
 * that probes every few seconds report a stuck worker within a minute.
 */
const stuckAfterMs = 50_000

export type Probe = {
  answers: boolean
  paused: boolean
  waiting: number
  freeSlots: number
  takenAt: number
  now: number
}

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
