import { fold, sentences, tokens } from '@plumbline/knowledge/text'
import { numbersIn, withoutCitations } from './text-numbers'

export type AskedPart = { what: string; value: string | null; row: string | null; column: string | null }
export type TableQuestion = {
  id: string
  question: string
  parts: AskedPart[]
  must_contain: string[]
  doc: string
  kind: string
}

const holds = (sentence: string, value: string): boolean =>
  ` ${fold(sentence).replace(/[.;,](?=\s|$)/g, ' ')} `.includes(` ${fold(value)} `) ||
  tokens(sentence).join(' ').includes(tokens(value).join(' '))
const year = /^(?:1[5-9]|20|21)\d\d$/
/** Matches the words that the offline answer uses for an empty cell. */
const absent = /without a value/

const isPlaceless = ({ row, column, value }: AskedPart): boolean => row === null && column === null && value !== null

export const isRight = (text: string, part: AskedPart): boolean => {
  const row = part.row ?? part.what.replace(/^\S+\s|\s\d{4}$/g, '')
  const about = sentences(text)
    .map(withoutCitations)
    .filter(
      (sentence) =>
        isPlaceless(part) ||
        ((part.column === null ? true : sentence.includes(part.column)) &&
          (holds(sentence, row) || absent.test(sentence))),
    )
  return about.some((sentence) =>
    part.value === null ? absent.test(sentence) : holds(sentence, part.value) && !absent.test(sentence),
  )
}

/** Returns sentences with unexpected figures. If a part has no cell, the figures of the question are also expected. */
export const wrongIn = (text: string, row: TableQuestion): string[] => {
  const placeless = row.parts.filter(isPlaceless).flatMap(({ value }) => value ?? [])
  const given = placeless.length > 0 ? numbersIn(row.question).map(({ value }) => value) : []
  const expected = new Set([
    ...given,
    ...[...row.parts.flatMap(({ value }) => (value === null ? [] : [value])), ...row.must_contain].flatMap((value) =>
      numbersIn(value).map((number) => number.value),
    ),
  ])
  return sentences(text)
    .map(withoutCitations)
    .filter((sentence) => {
      if (placeless.some((value) => holds(sentence, value))) return false
      return numbersIn(sentence).some(({ raw, value, isRank }) => !isRank && !year.test(raw) && !expected.has(value))
    })
}

/** Returns whether a quote contains the value. An empty cell has no value, so the result is then true. */
export const isShown = (quotes: string[], { value }: AskedPart): boolean =>
  value === null || quotes.some((quote) => holds(quote, value))
