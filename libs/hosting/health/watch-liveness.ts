import type { JobQueue } from '@plumbline/ports/job-queue'
import { createLiveness } from '@plumbline/worker'
import type { Line } from '../line'

const everyMs = 5_000

export type LivenessWatch = { live(): boolean; stop(): void }

/** Asks each queue that is served here how many jobs wait, and judges whether its worker still takes them. */
export const watchLiveness = (queue: JobQueue, lines: Line[]): LivenessWatch => {
  const wellness = lines.map((line) => ({ line, judge: createLiveness(), well: true }))
  const look = async (): Promise<void> => {
    for (const each of wellness) {
      const { line, judge } = each
      const depth = await queue.depth(line.lane, line.queue).catch(() => null)
      const { freeSlots, takenAt } = line
      each.well = judge({
        answers: depth !== null,
        paused: line.held || depth?.paused === true,
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
  return { live: () => wellness.every(({ well }) => well), stop: () => clearInterval(timer) }
}
