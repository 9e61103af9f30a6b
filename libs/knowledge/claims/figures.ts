import type { Passage } from '@plumbline/contracts'
import { asShown, blankCitations } from './citations'
import { datesIn, percents, scales, shortGap, smallNumbers, type TimeRead, timesIn } from '../locale-words'

/** A possible meaning of a written number. `step` is the value of one unit in the last digit, such as 0.01 for 1.25. */
type Reading = { value: number; step: number }
type Figure = {
  raw: string
  at: number
  readings: Reading[]
  plain: Reading[]
  parts: string[]
  size: number | undefined
}
/** `sizes` maps each number to its scales, such as a thousand, which are written beside it or above its table. */
type PassageFigures = {
  values: Set<number>
  inCells: Set<number>
  days: Set<string>
  minutes: Set<number>
  written: Set<string>
  sizes: Map<number, Set<number>>
}

const figure = /\d+(?:(?:[.,'’]| (?=\d{3}(?!\d)))\d+)*/g
const grouped = /^[1-9]\d{0,2}([., '’])(?:\d{2,3}\1)*\d{3}(?:(?!\1)[.,]\d+)?$/
const ungrouped = /^\d+(?:[.,]\d+)?$/
const letterScale = 3
/** Matches characters that change the writing direction, which make a reader see another number than the stored one. */
const turned = /[\u202d\u202e]/

/**
 * Returns the digit from 0 to 9 that has the same value. In every script, the ten digits are consecutive characters, so
 * the offset from the first digit is the value.
 */
const latin = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  let below = 0
  while (below < 10 && /\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below += 1
  return String(below % 10)
}

/** Removes a small digit after a letter, as in CO₂ and m², because the digit belongs to the word. */
const plainText = (text: string, isCode = false): string =>
  asShown((isCode ? text : blankCitations(text)).replace(/(?<=\p{L})\p{No}/gu, '').replace(/\p{No}/gu, ' $&')).replace(
    /(?![0-9])\p{Nd}/gu,
    latin,
  )

const exact = (value: number): number => Number(value.toPrecision(12))

const plainReadings = (raw: string): Reading[] => {
  const sign = grouped.exec(raw)?.[1]
  const forms = [...(sign === undefined ? [] : [raw.replaceAll(sign, '')]), ...(ungrouped.test(raw) ? [raw] : [])].map(
    (form) => form.replace(',', '.'),
  )
  return [...new Set(forms)].map((form) => ({ value: Number(form), step: 10 ** -(form.split('.')[1]?.length ?? 0) }))
}

const sizeOf = (word: string): number | undefined => {
  const name = word.toLowerCase()
  const own = scales.get(name.replace(/(?<=\p{L}{3})s$/u, '')) ?? scales.get(name)
  const inRow = /^[\p{Script=Han}\p{Script=Hangul}]/u.test(name)
  return own ?? (inRow ? (scales.get(name.slice(0, 2)) ?? scales.get(name.slice(0, 1))) : undefined)
}

const times = (readings: Reading[], size: number): Reading[] =>
  readings.map(({ value, step }) => ({ value: value * size, step: step * size }))

/**
 * Returns the possible values of a number with the word after it. `5 m` can be 5 million or 5 meters, so 5 is one of
 * its values. `5 million` and `$5 m` have only the value 5,000,000.
 */
const scaled = (plain: Reading[], before: string, after: string): { readings: Reading[]; size: number | undefined } => {
  const [, one = '', two = ''] = /^[\s-]?(\p{L}+)\.?(?:\s(\p{L}+))?/u.exec(after) ?? []
  const size = scales.get(`${one} ${two}`.toLowerCase()) ?? sizeOf(one)
  const percent = /^\s?(\p{L}+|[%٪])/u.exec(after)?.[1]?.toLowerCase() ?? ''
  if (percents.has(percent)) return { readings: [...plain, ...times(plain, 0.01)], size: undefined }
  if (size === undefined) return { readings: plain, size }
  const isOpen = one.length <= letterScale && !/\p{Sc}\s?$/u.test(before)
  return { readings: [...(isOpen ? plain : []), ...times(plain, size)], size }
}

/** Adds the scale of the next number in a range or list. In `2 to 3 million`, 2 can also mean 2 million. */
const withSharedScale = (text: string, figures: Figure[]): Figure[] => {
  let shared: number | undefined
  const fromLast = figures.toReversed().map((each, at, reversed) => {
    const next = reversed[at - 1]
    const isJoined = next !== undefined && shortGap.test(text.slice(each.at + each.raw.length, next.at))
    shared = each.size ?? (isJoined ? shared : undefined)
    if (each.size !== undefined || shared === undefined) return each
    return { ...each, readings: [...each.readings, ...times(each.plain, shared)] }
  })
  return fromLast.toReversed()
}

const figuresIn = (text: string): Figure[] => {
  const figures = Array.from(text.matchAll(figure), ({ 0: raw, index: at }) => {
    const plain = plainReadings(raw)
    const beside = scaled(plain, text.slice(0, at), text.slice(at + raw.length, at + raw.length + 40))
    return { raw, at, ...beside, plain, parts: grouped.test(raw) || !/[ ,]/.test(raw) ? [] : raw.split(/[ ,]/) }
  })
  return withSharedScale(text, figures)
}

const speltIn = (text: string): number[] =>
  Array.from(text.matchAll(/(?<!\p{L})(\p{L}+)(?=(?:[\s-](\p{L}+))?)/gu), ([, name = '', scale = '']) => {
    const value = smallNumbers.get(name.toLowerCase())
    return value === undefined ? [] : [value, value * (sizeOf(scale) ?? 1)]
  }).flat()

/** Returns the scales that the text names, such as `in thousands`, `EUR million` or `€m` above a table. */
const sizesOver = (text: string): number[] =>
  Array.from(
    text.matchAll(/(?<![\p{N}][\s-]?|\p{L})(?:\p{Sc}\s?(\p{L}{1,2})(?!\p{L})|(\p{L}{3,})(?!\p{L}))/gu),
    ([, a, b]) => sizeOf(a ?? b ?? ''),
  ).filter((size) => size !== undefined)

/** Leaves out the document version and the time of fetching, because their digits are not numbers of the text. */
const passageText = ({ title, headingPath, text, date }: Passage): string =>
  [title, ...headingPath, text, date].filter((part) => part !== undefined).join('\n')

const sizesIn = (figures: Figure[], over: number[]): PassageFigures['sizes'] => {
  const sizes: PassageFigures['sizes'] = new Map()
  for (const { plain, size } of figures)
    for (const { value } of plain)
      sizes.set(value, new Set([...(sizes.get(value) ?? []), ...over, ...(size === undefined ? [] : [size])]))
  return sizes
}

/** Caches the numbers of passages, separately for claims in prose and in code. */
const read = { prose: new WeakMap<Passage, PassageFigures>(), code: new WeakMap<Passage, PassageFigures>() }
const heldIn = (passage: Passage, isCode = false): PassageFigures => {
  const cache = isCode ? read.code : read.prose
  const known = cache.get(passage)
  if (known) return known
  // Make the small digit in CO₂ a separate number, because a claim may write CO2.
  const text = plainText(passageText(passage).replace(/(?<=\p{L})[\u2080-\u2089²³]/gu, ' $& '), isCode)
  const [figures, dates, sizes] = [figuresIn(text), datesIn(text), sizesOver(text)]
  const over = figures.flatMap(({ plain }) => sizes.flatMap((size) => times(plain, size)))
  const parts = figures.flatMap(({ parts }) => parts.flatMap(plainReadings))
  const found = [...figures.flatMap(({ readings }) => readings), ...over, ...parts].map(({ value }) => exact(value))
  const values = [...found, ...dates.flatMap((date) => date.parts), ...speltIn(text)]
  const held: PassageFigures = {
    values: new Set(values),
    inCells: new Set(figures.flatMap(({ plain }) => plain.map(({ value }) => exact(value)))),
    days: new Set(dates.flatMap(({ days }) => days)),
    minutes: new Set(timesIn(text).map(({ minute }) => minute)),
    written: new Set(figures.map(({ raw }) => raw)),
    sizes: sizesIn(figures, sizes),
  }
  cache.set(passage, held)
  return held
}

const joined = (all: PassageFigures[]): Omit<PassageFigures, 'sizes'> => ({
  values: new Set(all.flatMap(({ values }) => [...values])),
  inCells: new Set(all.flatMap(({ inCells }) => [...inCells])),
  days: new Set(all.flatMap(({ days }) => [...days])),
  minutes: new Set(all.flatMap(({ minutes }) => [...minutes])),
  written: new Set(all.flatMap(({ written }) => [...written])),
})

const isDayHeld = (day: string, { days, values }: Pick<PassageFigures, 'days' | 'values'>): boolean => {
  const [year, ...ofYear] = day.split('-')
  return days.has(day) || (values.has(Number(year)) && days.has(['', ...ofYear].join('-')))
}

const blank = (text: string, spans: { raw: string; at: number }[]): string =>
  spans.reduce((left, { raw, at }) => left.slice(0, at) + ' '.repeat(raw.length) + left.slice(at + raw.length), text)

/** Replaces the dates by spaces. `stray` lists the dates that occur in no passage. */
const withoutDates = (text: string, held: Omit<PassageFigures, 'sizes'>): { rest: string; stray: string[] } => {
  const dates = datesIn(text).filter(({ days }) => !days.every((day) => day.startsWith('-')))
  const stray = dates.filter(({ days, raw }) => !days.some((day) => isDayHeld(day, held)) && !held.written.has(raw))
  return {
    rest: blank(text, dates),
    stray: stray.map(({ raw }) => raw),
  }
}

/** Replaces the times that occur in a passage by spaces. A passage may write 21:00 as 9 pm, and 9:00 as 9. */
const withoutTimes = (text: string, { minutes, values }: Omit<PassageFigures, 'sizes'>): string => {
  const isHeld = ({ raw, minute }: TimeRead): boolean => {
    const hour = Number.parseInt(raw)
    return minutes.has(minute) || (minute === hour * 60 && values.has(hour))
  }
  return blank(text, timesIn(text).filter(isHeld))
}

/** Returns the scales of a number. 5 has the scale 1,000 in `5 thousand` and in a table with numbers in thousands. */
export const scalesOf = (value: number, passages: readonly Passage[]): number[] =>
  passages.flatMap((passage) => [...(heldIn(passage).sizes.get(Math.abs(value)) ?? [])])

/**
 * Returns the numbers and dates of the text that occur in no passage. It leaves out the `known` numbers, and dates that
 * are in `days`, such as `2026-11-24`.
 */
export const strayFigures = (
  text: string,
  passages: Passage[],
  known: number[] = [],
  days: string[] = [],
  isCode = false,
): string[] => {
  const inPassages = joined(passages.map((passage) => heldIn(passage, isCode)))
  const held = { ...inPassages, days: new Set([...inPassages.days, ...days]) }
  const plain = plainText(text, isCode)
  const { rest: undated, stray } = withoutDates(plain, held)
  const rest = withoutTimes(undated, held)
  const sizes = sizesOver(rest)
  const isHeld = ({ value, step }: Reading): boolean =>
    held.values.has(exact(value)) || known.some((each) => Math.abs(Math.abs(each) - value) <= step / 2 + 1e-9)
  const isCell = (readings: Reading[]): boolean =>
    / \| /.test(text) && readings.some(({ value }) => held.inCells.has(exact(value)))
  const isStray = ({ raw, readings, plain: bare, parts }: Figure): boolean => {
    const options = [...readings, ...sizes.flatMap((size) => times(bare, size))]
    if (held.written.has(raw) && bare.length === 0) return false
    if (options.some(isHeld) || isCell(bare)) return false
    return parts.length === 0 || parts.flatMap(plainReadings).some((part) => !isHeld(part))
  }
  const figures = figuresIn(rest).filter((each) => turned.test(text) || isStray(each))
  return [...new Set([...stray, ...figures.map(({ raw }) => raw)])]
}
