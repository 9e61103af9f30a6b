import { escapeRegExp, fold, stem, words } from '@plumbline/knowledge/text'
import { faultIn, type LookupCard, type LookupParam, patternOf } from '@plumbline/ports/lookup'
import type { FillLookup } from '../skill/skill'

const whole = (pattern: string): string => `(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`

/** Returns the longest value that the question contains, for example `New York City` and not `New York`. */
const valueIn = (question: string, { values = [] }: LookupParam): string | undefined =>
  [...values]
    .sort((a, b) => b.length - a.length)
    .find((value) => new RegExp(whole(escapeRegExp(fold(value))), 'u').test(fold(question)))

/** Returns a pattern for a number that is not a part of a longer number or of a date. */
const wholeNumber = (pattern: string): string => `(?<![\\p{L}\\p{N}.,-])(?:${pattern})(?![\\p{L}\\p{N}]|[.,-]\\p{N})`

const matchIn = (question: string, param: LookupParam): string | undefined =>
  Array.from(
    question.matchAll(new RegExp((param.type ? wholeNumber : whole)(patternOf(param) ?? ''), 'gu')),
    ([match]) => match,
  ).find((match) => match !== '')

const isAbout = (question: string, { name, description, params }: LookupCard, given: string[]): boolean => {
  const told = new Set(
    words(
      [name.replaceAll('-', ' '), description, ...params.map((param) => param.name.replaceAll('_', ' '))].join('\n'),
    ),
  )
  const filled = new Set(given.flatMap((value) => words(value)))
  return words(question).some((word) => told.has(stem(word)) && !filled.has(word))
}

const filled = (question: string, lookup: LookupCard, isChosen: boolean): Record<string, string> | null => {
  const entries = lookup.params.map((param): [string, string | undefined] => [
    param.name,
    param.values ? valueIn(question, param) : matchIn(question, param),
  ])
  const given = entries.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
  const values = Object.fromEntries(given)
  const isAsked = isChosen || isAbout(question, lookup, Object.values(values))
  return faultIn(lookup, values) === null && isAsked ? values : null
}

export const offlineFillLookup: FillLookup = async ({ question, lookups, isChosen = false }, { signal }) => {
  signal.throwIfAborted()
  return lookups.flatMap((lookup) => {
    const values = filled(question, lookup, isChosen)
    return values ? [{ name: lookup.name, values }] : []
  })
}
