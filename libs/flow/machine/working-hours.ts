import type { WorkingHours } from '@plumbline/contracts'

const minute = 60_000
const day = 24 * 60 * minute

const formats = new Map<string, Intl.DateTimeFormat>()
const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  formats.set(timeZone, format)
  return format
}

const onClocks = (at: number, timeZone: string): { weekday: string; sinceMidnight: number } => {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const [hours, minutes, seconds] = ['hour', 'minute', 'second'].map((type) =>
    Number(parts.get(type as Intl.DateTimeFormatPartTypes)),
  ) as [number, number, number]
  return {
    weekday: String(parts.get('weekday')).toLowerCase(),
    sinceMidnight: (hours * 60 + minutes) * minute + seconds * 1_000 + (((at % 1_000) + 1_000) % 1_000),
  }
}

const msOf = (clock: string): number => (Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))) * minute

/** The maximum number of passes of the loop in `dueAfter`. It is enough for a year, the longest allowed wait. */
const mostLooks = 3 * 2 * 366

/** Returns when the wait ends. With `hours`, only working hours in their time zone count. */
export const dueAfter = (from: number, waitMs: number, hours: WorkingHours | undefined): number => {
  if (!hours) return from + waitMs
  const [opens, closes] = [msOf(hours.from), msOf(hours.to)]
  let at = from
  let left = waitMs
  for (let look = 0; look < mostLooks; look += 1) {
    const { weekday, sinceMidnight } = onClocks(at, hours.timeZone)
    const isWorkday = hours.days.some((name) => name === weekday)
    if (!isWorkday || sinceMidnight >= closes) at += day - sinceMidnight
    else if (sinceMidnight < opens) at += opens - sinceMidnight
    else if (left <= closes - sinceMidnight) return at + left
    else {
      left -= closes - sinceMidnight
      at += closes - sinceMidnight
    }
  }
  return at
}
