/** With probes every few seconds this notices a consumer that no longer consumes within a minute. */
const stuckAfterMs = 50_000

export type Probe = {
  answers: boolean
  paused: boolean
  waiting: number
  freeSlots: number
  takenAt: number
  now: number
}

/** Unwell only when Redis answers, the stage is not paused, jobs wait, a slot is free, and none was taken all that time. */
export const createLiveness = (): ((probe: Probe) => boolean) => {
  let wantingSince: number | null = null
  return ({ answers, paused, waiting, freeSlots, takenAt, now }) => {
    if (!answers || paused || waiting === 0 || freeSlots <= 0) wantingSince = null
    else wantingSince ??= now
    return wantingSince === null || now - Math.max(wantingSince, takenAt) < stuckAfterMs
  }
}
