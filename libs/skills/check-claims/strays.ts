import type { Alias } from '@plumbline/knowledge/tables'
import { termsOf } from '@plumbline/knowledge/tables'
import type { Quantity } from '@plumbline/knowledge/text'
import { askWords, numbers, stem, stopWords, tokens, unitNamed } from '@plumbline/knowledge/text'
import { synonyms } from '../wording/synonyms'

/** Forms of one word: `photograph` and `photography`, `sail` and `sailor`. */
const isKin = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const least = Math.max(4, Math.ceil(0.6 * long.length))
  return short.length >= least && long.slice(0, least) === short.slice(0, least)
}

/** `May` is a month where a day or a year stands by it. */
const inMay = /\bMay\b(?=,?\s+\d)|(?:\d|\bof|\b[Ii]n)\s+May\b/
const figured = (text: string): Set<string> => new Set(numbers(text).flatMap(({ raw }) => tokens(raw)))
const unitsIn = (text: string): Set<string> =>
  new Set([...tokens(text).map(unitNamed), ...numbers(text).map(({ unit }) => unit)].flatMap((unit) => unit || []))

/** An ordinal that counts no steps. */
const ordinals = (text: string): Quantity[] =>
  numbers(text).filter(({ unit, value, raw }) => unit === 'th' && value > 1 && !text.includes(`${raw},`))

/** The first word of a claim that its source holds in no form; figures are judged as such. */
export const strayIn = (claim: string, source: string, aliases: readonly Alias[]): string | null => {
  if (inMay.test(claim) && !/\bMay\b/.test(source)) return 'May'
  const counted = numbers(source).map(({ value }) => value)
  const order = ordinals(claim).find(({ value }) => !counted.includes(value))
  if (order) return order.raw
  const units = unitsIn(source)
  const held = termsOf(source, aliases)
  for (const token of tokens(source)) held.add(stem(token))
  const isHeld = (word: string): boolean => held.has(word) || [...held].some((other) => isKin(word, other))
  const known = (token: string): boolean =>
    stopWords.has(token) ||
    token === 'cannot' ||
    askWords.has(token) ||
    units.has(unitNamed(token) ?? '') ||
    isHeld(stem(token)) ||
    synonyms(token).some((other) => held.has(stem(other)))
  const figures = figured(claim)
  return tokens(claim).find((token) => !/\d/.test(token) && !figures.has(token) && !known(token)) ?? null
}
