import { describe, expect, it } from 'vitest'
import type { WorkingHours } from '@plumbline/contracts'
import { dueAfter } from './working-hours'

const hour = 3_600_000
const berlin: WorkingHours = {
  timeZone: 'Europe/Berlin',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '09:00',
  to: '17:00',
}
const due = (from: string, hours: number, working: WorkingHours = berlin): string =>
  new Date(dueAfter(Date.parse(from), hours * hour, working)).toISOString()

describe('working hours', () => {
  it('include every hour if none are set', () => expect(dueAfter(1_000, 4 * hour, undefined)).toBe(1_000 + 4 * hour))

  it('are counted within a day, over the night and over the weekend', () => {
    expect(due('2026-11-20T10:00:00.250+01:00', 4)).toBe('2026-11-20T13:00:00.250Z')
    expect(due('2026-11-19T15:00:00+01:00', 4)).toBe('2026-11-20T10:00:00.000Z')
    expect(due('2026-11-20T16:30:00+01:00', 4)).toBe('2026-11-23T11:30:00.000Z')
    expect(due('2026-11-21T12:00:00+01:00', 1)).toBe('2026-11-23T09:00:00.000Z')
    expect(due('2026-11-20T05:00:00+01:00', 8)).toBe('2026-11-20T16:00:00.000Z')
  })

  it('follow changes of the clock in their zone', () => {
    // On 29 March 2026 clocks go from 2 to 3, on 25 October from 3 to 2.
    expect(due('2026-03-27T16:00:00+01:00', 2)).toBe('2026-03-30T08:00:00.000Z')
    expect(due('2026-10-23T16:00:00+02:00', 2)).toBe('2026-10-26T09:00:00.000Z')
    const daily: WorkingHours = { ...berlin, days: ['sat', 'sun', 'mon'], from: '00:00', to: '23:30' }
    expect(due('2026-03-28T23:00:00+01:00', 1, daily)).toBe('2026-03-28T23:30:00.000Z')
  })

  it('use the zone’s own day, on the other side of the date line too', () => {
    const kiritimati: WorkingHours = { ...berlin, timeZone: 'Pacific/Kiritimati', days: ['mon'] }
    expect(due('2026-11-20T12:00:00Z', 1, kiritimati)).toBe('2026-11-22T20:00:00.000Z')
  })

  it('need at most a year of days and little time', () => {
    const rare: WorkingHours = { ...berlin, days: ['wed'], from: '09:00', to: '09:30' }
    const began = performance.now()
    expect(due('2026-11-20T12:00:00Z', 26, rare)).toBe('2027-11-17T08:30:00.000Z')
    expect(performance.now() - began).toBeLessThan(500)
  })
})
