import { type Condition, type Filters, Moment } from '@plumbline/contracts'

/** A range of numbers or of times. Times are in ms since 1970. */
export type Range = { by: 'number' | 'time'; gte?: number; gt?: number; lte?: number; lt?: number }
type Bound = NonNullable<Condition['gte']>

const number = /^[+-]?\d{1,15}(\.\d{1,15})?$/
const day = /^\d{4}-\d{2}-\d{2}$/
const dayMs = 86_400_000

export const numberOf = (word: string): number | null => (number.test(word.trim()) ? Number(word) : null)

/** Returns the time in ms since 1970, or null if the text is not a time. A day begins at midnight UTC. */
export const timeOf = (word: string): number | null => {
  const text = word.trim()
  return Moment.safeParse(text).success ? Date.parse(text) : null
}

const isDay = (bound: Bound | undefined): boolean => typeof bound === 'string' && day.test(bound)
const inUnit = (bound: Bound): number => (typeof bound === 'number' ? bound : Date.parse(bound))

/** Returns the range of a condition. A limit that is a day covers the whole day: `lte` includes all its hours. */
export const rangeOf = ({ gte, gt, lte, lt }: Condition): Range | null => {
  const given = [gte, gt, lte, lt].filter((bound) => bound !== undefined)
  if (given.length === 0) return null
  const above = gt !== undefined && isDay(gt) ? { gte: inUnit(gt) + dayMs } : gt !== undefined && { gt: inUnit(gt) }
  const below =
    lte !== undefined && isDay(lte) ? { lt: inUnit(lte) + dayMs } : lte !== undefined && { lte: inUnit(lte) }
  const from = { ...(gte !== undefined && { gte: inUnit(gte) }), ...above }
  const to = { ...(lt !== undefined && { lt: inUnit(lt) }), ...below }
  if (gte !== undefined && from.gte !== undefined) from.gte = Math.max(from.gte, inUnit(gte))
  if (lt !== undefined && to.lt !== undefined) to.lt = Math.min(to.lt, inUnit(lt))
  return { by: typeof given[0] === 'number' ? 'number' : 'time', ...from, ...to }
}

const isWithin = (
  { by, gte = -Infinity, gt = -Infinity, lte = Infinity, lt = Infinity }: Range,
  word: string,
): boolean => {
  const value = by === 'number' ? numberOf(word) : timeOf(word)
  return value !== null && value >= gte && value > gt && value <= lte && value < lt
}

export const ruledOut = ({ not }: Condition): readonly string[] => (typeof not === 'string' ? [not] : (not ?? []))

const meets = (wanted: string | Condition, word: string | undefined): boolean => {
  if (typeof wanted === 'string') return word === wanted
  const range = rangeOf(wanted)
  if (word === undefined) return wanted.in === undefined && range === null
  return (
    (wanted.in === undefined || wanted.in.includes(word)) &&
    !ruledOut(wanted).includes(word) &&
    (range === null || isWithin(range, word))
  )
}

export const passes = (filters: Filters, metadata: Readonly<Record<string, string>>): boolean =>
  Object.entries(filters).every(([name, wanted]) =>
    meets(wanted, Object.hasOwn(metadata, name) ? metadata[name] : undefined),
  )
