const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const dayMs = 86_400_000
const lastDay = 2_958_466

const parts = /"[^"]*"|\\.|\[(?:h+|m+|s+)\]|\[[^\]]*\]|_.|\*.|AM\/PM|A\/P|y+|m+|d+|h+|s+(?:\.0+)?|./gi

/** The parts of a format of dates or times, or nothing where it is one of numbers. */
export const datePattern = (section: string): string[] | undefined => {
  if (/General/i.test(section)) return undefined
  const found = section.match(parts) ?? []
  return found.some((part) => /^(?:y+|m+|d+|h+|s+.*|\[(?:h+|m+|s+)\])$/i.test(part)) ? found : undefined
}

const two = (value: number): string => String(value).padStart(2, '0')

/** An `m` between hours and seconds is minutes. */
const withMinutes = (pattern: string[]): string[] => {
  const fields = pattern.flatMap((part, at) => (/^(?:[ymdhs]+|s+\..*|\[[hms]+\])$/i.test(part) ? [at] : []))
  return pattern.map((part, at) => {
    if (!/^m{1,2}$/i.test(part)) return part.startsWith('"') || part.startsWith('\\') ? part : part.toLowerCase()
    const here = fields.indexOf(at)
    const before = pattern[fields[here - 1] ?? -1] ?? ''
    const after = pattern[fields[here + 1] ?? -1] ?? ''
    return /h/i.test(before) || /^\[?s/i.test(after) ? 'n'.repeat(part.length) : part.toLowerCase()
  })
}

const fieldText = (part: string, date: Date, total: number, half: boolean): string => {
  const hours = half ? date.getUTCHours() % 12 || 12 : date.getUTCHours()
  const month = months[date.getUTCMonth()] ?? ''
  const day = days[date.getUTCDay()] ?? ''
  const texts: Record<string, string> = {
    yy: two(date.getUTCFullYear() % 100),
    m: String(date.getUTCMonth() + 1),
    mm: two(date.getUTCMonth() + 1),
    mmm: month.slice(0, 3),
    mmmm: month,
    mmmmm: month.slice(0, 1),
    d: String(date.getUTCDate()),
    dd: two(date.getUTCDate()),
    ddd: day.slice(0, 3),
    dddd: day,
    h: String(hours),
    hh: two(hours),
    n: String(date.getUTCMinutes()),
    nn: two(date.getUTCMinutes()),
    s: String(date.getUTCSeconds()),
    ss: two(date.getUTCSeconds()),
    'am/pm': date.getUTCHours() < 12 ? 'AM' : 'PM',
    'a/p': date.getUTCHours() < 12 ? 'A' : 'P',
  }
  if (/^y/.test(part)) return part.length > 2 ? String(date.getUTCFullYear()) : (texts['yy'] ?? '')
  if (/^s+\./.test(part))
    return `${two(date.getUTCSeconds())}.${String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, part.split('.')[1]?.length)}`
  if (/^\[h/.test(part)) return String(Math.floor(total / 3_600_000))
  if (/^\[m/.test(part)) return String(Math.floor(total / 60_000))
  if (/^\[s/.test(part)) return String(Math.floor(total / 1000))
  if (part.startsWith('"')) return part.slice(1, -1)
  if (part.startsWith('\\')) return part.slice(1)
  return texts[part] ?? (/^[[_*]/.test(part) ? '' : part)
}

/** Day 60 of a workbook that counts from 1900 is a 29 February that never was. */
const dateOf = (value: number, from1904: boolean): Date => {
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value
  return new Date(Math.round(((days - 25_569) * dayMs) / 10) * 10)
}

/** A serial number as its format shows it; nothing where it is no date, as a negative one is not. */
export const dateText = (value: number, section: string[], from1904: boolean): string | undefined => {
  if (value < 0 || value >= lastDay) return undefined
  const pattern = withMinutes(section)
  const shows = (field: RegExp) => pattern.some((part) => field.test(part))
  const counting = shows(/^\[[hms]+\]$/)
  const fine = shows(/^s+\./)
  const exact = dateOf(value, from1904)
  const date = fine ? exact : new Date(Math.round(exact.getTime() / 1000) * 1000)
  const time = shows(/^h+$/)
  if (shows(/^y+$/) && shows(/^m{1,5}$/) && shows(/^d{1,2}$/)) {
    const iso = date.toISOString()
    const clock = shows(/^s/) ? iso.slice(11, 19) : iso.slice(11, 16)
    return time ? `${iso.slice(0, 10)} ${clock}` : iso.slice(0, 10)
  }
  const total = counting ? Math.round(value * dayMs) : 0
  return pattern
    .map((part) => fieldText(part, date, total, shows(/^a/)))
    .join('')
    .trim()
}
