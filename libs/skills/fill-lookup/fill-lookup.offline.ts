import { escaped, fold, stem, words } from '@plumbline/knowledge/text'
import { faultIn, type LookupCard, type LookupParam } from '@plumbline/ports/lookup'
import type { FillLookup } from '../skill/skill'

const whole = (pattern: string): string => `(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`

/** Prefers the longest value: `New York City` to `New York`. */
const valueIn = (question: string, { values = [] }: LookupParam): string | undefined =>
  [...values]
    .sort((a, b) => b.length - a.length)
    .find((value) => new RegExp(whole(escaped(fold(value))), 'u').test(fold(question)))

const matchIn = (question: string, { pattern = '' }: LookupParam): string | undefined =>
  Array.from(question.matchAll(new RegExp(whole(pattern), 'gu')), ([match]) => match).find((match) => match !== '')

/** Returns whether the question shares a word with the lookup's description. Words of the values are ignored. */
const isAbout = (question: string, { name, description, params }: LookupCard, given: string[]): boolean => {
  const told = new Set(
    words(
      [name.replaceAll('-', ' '), description, ...params.map((param) => param.name.replaceAll('_', ' '))].join('\n'),
    ),
  )
  const filled = new Set(given.flatMap((value) => words(value)))
  return words(question).some((word) => told.has(stem(word)) && !filled.has(word))
}

/** Fills values of the question that the lookup declares or that match a parameter's pattern. */
export const offlineFillLookup: FillLookup = async ({ question, lookup, isChosen = false }, { signal }) => {
  signal.throwIfAborted()
  const entries = lookup.params.map((param): [string, string | undefined] => [
    param.name,
    param.values ? valueIn(question, param) : matchIn(question, param),
  ])
  const given = entries.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
  const values = Object.fromEntries(given)
  const isAsked = isChosen || isAbout(question, lookup, Object.values(values))
  return faultIn(lookup, values) === null && isAsked ? values : null
}
