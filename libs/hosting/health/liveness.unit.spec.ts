import { describe, expect, it } from 'vitest'
import { createLiveness, type Probe } from './liveness'

const wanting: Omit<Probe, 'now'> = { answers: true, paused: false, waiting: 3, freeSlots: 1, takenAt: 0 }
const everyFiveSeconds = (probe: Partial<Probe>, fromMs = 1_000_000, forMs = 60_000): boolean => {
  const live = createLiveness()
  let well = true
  for (let now = fromMs; now <= fromMs + forMs; now += 5_000) well = live({ ...wanting, ...probe, now })
  return well
}

describe('liveness', () => {
  it('fails within a minute when jobs wait, a slot is free and none is taken', () => {
    expect(everyFiveSeconds({})).toBe(false)
    expect(everyFiveSeconds({}, 1_000_000, 45_000)).toBe(true)
  })

  it.each<[string, Partial<Probe>]>([
    ['Redis does not answer', { answers: false }],
    ['the stage is paused', { paused: true }],
    ['no job waits', { waiting: 0 }],
    ['no slot is free', { freeSlots: 0 }],
    ['a job was taken lately', { takenAt: 1_030_000 }],
  ])('holds when %s', (_, probe) => expect(everyFiveSeconds(probe)).toBe(true))

  it('does not count the time before jobs came', () => {
    const live = createLiveness()
    expect(live({ ...wanting, waiting: 0, now: 3_600_000 })).toBe(true)
    expect(live({ ...wanting, now: 3_605_000 })).toBe(true)
    expect(live({ ...wanting, now: 3_660_000 })).toBe(false)
  })
})
