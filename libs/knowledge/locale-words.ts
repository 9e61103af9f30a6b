/** The JavaScript runtime provides the names of months and large numbers in these locales. */
const locales = 'en en-IN de fr es it pt nl pl cs sv da nb fi tr ru uk ja ko zh'.split(' ')
const aMonth = 30.4 * 24 * 3600 * 1000

const plain = (word: string): string => word.normalize('NFKC').toLowerCase().replace(/\.$/, '').trim()

const monthNames = (locale: string): [string, number][] =>
  (['long', 'short'] as const).flatMap((month) => {
    const written = new Intl.DateTimeFormat(locale, { day: 'numeric', month, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, at): [string, number] => [
      plain(written.formatToParts((at + 0.5) * aMonth).find(({ type }) => type === 'month')?.value ?? ''),
      at + 1,
    ])
  })

/** Returns the names of large numbers, such as `Mio.`. Formats numbers to get them, because the runtime has no list. */
const scaleNames = (locale: string): [string, number][] =>
  (['long', 'short'] as const).flatMap((compactDisplay) => {
    const written = new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay, maximumSignificantDigits: 1 })
    return [3, 4, 5, 6, 7, 8, 9, 12].flatMap((power) =>
      [1, 2, 5].flatMap((digit): [string, number][] => {
        const parts = written.formatToParts(digit * 10 ** power)
        const name = plain(parts.find(({ type }) => type === 'compact')?.value ?? '')
        const shown = Number(parts.flatMap(({ type, value }) => (type === 'integer' ? [value] : [])).join(''))
        return name === '' || !(shown > 0) ? [] : [[name, (digit * 10 ** power) / shown]]
      }),
    )
  })

/** If several locales share a word, the first of these locales decides. `billion` therefore has its English value. */
const firstOf = (pairs: [string, number][]): Map<string, number> =>
  new Map(pairs.filter(([word]) => word !== '' && !/^\d/.test(word)).reverse())

const percentName = (locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', unitDisplay: 'long' })
    .formatToParts(5)
    .flatMap(({ type, value }) => (type === 'unit' ? [plain(value)] : []))
    .join('')

/** Formats hours, because `Intl` writes names for the halves of the day, such as `am`, only on a 12-hour clock. */
const halfNames = (locale: string): [string, number][] =>
  [0, 12].flatMap((hour): [string, number][] => {
    const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: true, timeZone: 'UTC' })
    const name = clock.formatToParts(hour * 3600 * 1000).find(({ type }) => type === 'dayPeriod')?.value
    return name === undefined ? [] : [[plain(name).replaceAll(/[.\s]/g, ''), hour]]
  })

const months = firstOf(locales.flatMap(monthNames))
const halves = firstOf(locales.flatMap(halfNames))
/** The runtime does not provide these abbreviations from accounting. */
const short: [string, number][] = [
  ['bn', 1e9],
  ['mn', 1e6],
  ['tsd', 1e3],
]
export const scales = firstOf([...short, ...locales.flatMap(scaleNames)])
/** The runtime does not provide the names of the numbers from 0 to 20. Here, the ordinal form follows each name. */
const spelt = `zero zeroth one first two second three third four fourth five fifth six sixth seven seventh eight eighth
  nine ninth ten tenth eleven eleventh twelve twelfth thirteen thirteenth fourteen fourteenth fifteen fifteenth
  sixteen sixteenth seventeen seventeenth eighteen eighteenth nineteen nineteenth twenty twentieth`.split(/\s+/)
export const smallNumbers = new Map(spelt.map((name, at) => [name, Math.floor(at / 2)]))
export const percents = new Set([...locales.map(percentName), '%', '٪'])

/** `days` lists every day that the date can mean, as `year-month-day`. The year is empty if the text states none. */
export type DateRead = { raw: string; at: number; days: string[]; parts: number[] }

const between = String.raw`\s?[./\u2010-\u2015\u5e74\u6708\ub144\uc6d4-]\s?`
const ordinal = String.raw`(?:\p{L}{1,2}(?!\p{L})|[.ºª])?`
/** Matches the text between two numbers of a range or a list, as in `5–7`, `5 to 7` and `5 et 7`. */
const connector = String.raw`(?:\s?[/\u2010-\u2015-]\s?|\s\p{L}{1,3}\s)`
export const shortGap = new RegExp(String.raw`^(?:${connector}|,\s)\p{Sc}?$`, 'u')
/** Matches the text between two parts of a date. This text can contain a short word such as `de`, `of` or `den`. */
const filler = String.raw`[\s,]\s*(?:\p{L}{2,3}\s+)?`
const forms = [
  String.raw`(?<y>\d{4})${between}(?<m>\d{1,2})${between}(?<d>\d{1,2})`,
  String.raw`(?<a>\d{1,2})${between}(?<b>\d{1,2})${between}(?<y>\d{4}|\d{2})`,
  String.raw`(?:(?<other>\d{1,2})${ordinal}${connector})?(?<d>\d{1,2})${ordinal}${filler}(?<name>\p{L}{3,})\.?(?:${filler}(?<y>\d{4}))?`,
  String.raw`(?<![\p{L}])(?<name>\p{L}{3,})\.?\s(?<d>\d{1,2})${ordinal}(?:${connector}(?<other>\d{1,2})${ordinal})?(?:${filler}(?<y>\d{4}))?`,
].map((form) => new RegExp(String.raw`(?<![\p{N}.,/-])${form}(?![\p{N}/-]|[.,]\d)`, 'giu'))

const yearsOf = (written: string | undefined): number[] => {
  if (written === undefined) return []
  return written.length === 4 ? [Number(written)] : [1900 + Number(written), 2000 + Number(written)]
}

const dayOf = (year: number | '', month: number, day: number): string => `${year}-${month}-${day}`

const read = (raw: string, at: number, found: Partial<Record<string, string>>): DateRead[] => {
  const named = found['name'] === undefined ? undefined : months.get(found['name'].toLowerCase())
  const orders: [number, number][] =
    found['a'] === undefined
      ? [[named ?? Number(found['m'] ?? 0), Number(found['d'])]]
      : [
          [Number(found['b']), Number(found['a'])],
          [Number(found['a']), Number(found['b'])],
        ]
  const right = orders.filter(([month, day]) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
  const years = yearsOf(found['y'])
  const days = right.flatMap(([month, day]) =>
    (years.length > 0 ? years : ['' as const]).map((year) => dayOf(year, month, day)),
  )
  if (days.length === 0) return []
  const date = { raw, at, days, parts: [...years, ...right.flat()] }
  return found['other'] === undefined
    ? [date]
    : [date, ...read(raw, at, { ...found, d: found['other'], other: undefined })]
}

/** Returns each date with every day that it can mean: `3/5/24` is in March or May. `5–7 March` counts as two dates. */
export const datesIn = (text: string): DateRead[] =>
  forms.flatMap((form) =>
    Array.from(text.matchAll(form), ({ 0: raw, index, groups }) => read(raw, index, groups ?? {})).flat(),
  )

/** `minute` is the number of minutes since midnight. */
export type TimeRead = { raw: string; at: number; minute: number }

const clock = /(?<![\p{N}.,:/-])(\d{1,2})(?:(?<sign>:|\.|\s?h\s?)(\d{2}))?(?![\p{N}:])/gu
const halfAfter = /^\s?(\p{L}\.\s?\p{L}\.?|\p{L}{2,3}\.?)(?!\p{L})/u

/** Finds times such as `9:30`, `9h30`, `9 am` and `9.30 p.m.`, but not `9.30`, which may be a decimal number. */
export const timesIn = (text: string): TimeRead[] =>
  Array.from(text.matchAll(clock), ({ 0: written, 1: hour, 2: sign, 3: minute = '0', index: at }): TimeRead[] => {
    const name = halfAfter.exec(text.slice(at + written.length))
    const half = halves.get(plain(name?.[1] ?? '').replaceAll(/[.\s]/g, ''))
    const [h, m] = [Number(hour), Number(minute)]
    if (h > 24 || m > 59) return []
    if (half !== undefined) return [{ raw: written + (name?.[0] ?? ''), at, minute: ((h % 12) + half) * 60 + m }]
    return sign === undefined || sign === '.' ? [] : [{ raw: written, at, minute: h * 60 + m }]
  }).flat()
