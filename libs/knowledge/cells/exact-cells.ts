import type { Passage } from '@plumbline/contracts'
import { sentences } from '../text'
import { questionIn, type Question } from './question-words'
import { countAsked, figureAsked } from './figures'
import { nearest, readingOf, type Reading } from './readings'
import { cellSaid, quoteRows, valueOf, type CellAnswer } from './cell-sentences'
import { isEmpty, tablesIn, type Table } from './table'

const answersOf = ({ table, rows, columns, measure }: Reading): CellAnswer[] =>
  rows.flatMap(({ what: { row, by } }) =>
    columns.map(({ what: column }) => {
      const cell = { table, row, column, by }
      const value = valueOf(cell)
      return {
        text: cellSaid(cell, measure),
        value: isEmpty(value) ? null : value,
        passageIds: [table.passage.id],
        quote: [quoteRows(table, [row])],
      }
    }),
  )

type Named = { at: number[] }

/**
 * Returns false if two row or column names follow each other with nothing between them. Together, they may be another
 * name, which is not in the table.
 */
const isList = ({ text, words }: Question, named: readonly Named[]): boolean =>
  named.every(({ at: left }) =>
    named.every(({ at: right }) =>
      left.every((position) => {
        const next = position + 1
        if (right.includes(position) || left.includes(next) || !right.includes(next)) return true
        return text.slice(words[position]?.end, words[next]?.start).trim() !== ''
      }),
    ),
  )

/**
 * Returns true if the question asks for each named row in each named column. Returns false for `A in 2019 and B in
 * 2023`, or if the same words name two rows or two columns.
 */
const isPlain = (asked: Question, { rows, columns }: Reading): boolean => {
  const distinct = (named: readonly Named[]): boolean =>
    new Set(named.map(({ at }) => [...at].sort().join(' '))).size === named.length
  const positions = (named: readonly Named[]): number[] => named.flatMap(({ at }) => at)
  const before = (some: number[], others: number[]): boolean => Math.max(...some) < Math.min(...others)
  const [left, right] = [positions(rows), positions(columns)]
  const apart = rows.length < 2 || columns.length < 2 || before(left, right) || before(right, left)
  return apart && [rows, columns].every((named) => distinct(named) && isList(asked, named))
}

const same = (left: CellAnswer[], right: CellAnswer[]): boolean =>
  left.length === right.length && left.every(({ value }, at) => value === right[at]?.value)

const cellsAsked = (asked: Question, tables: readonly Table[]): CellAnswer[] | null => {
  const readings = nearest(tables.flatMap((table) => readingOf(asked, table, tables) ?? []))
  if (readings.length === 0 || !readings.every((reading) => isPlain(asked, reading))) return null
  const [first, ...others] = readings.map(answersOf)
  return first && others.every((other) => same(first, other)) ? first : null
}

/** Answers a question from cells of tables. Returns null if a sentence of the question has no certain answer there. */
export const exactCells = (question: string, passages: Passage[]): CellAnswer[] | null => {
  const tables = passages.flatMap(tablesIn)
  if (tables.length === 0) return null
  const found: CellAnswer[] = []
  for (const part of sentences(question)) {
    const asked = questionIn(part)
    if (asked.words.length === 0) continue
    const answers = cellsAsked(asked, tables) ?? figureAsked(asked, tables) ?? countAsked(asked, tables)
    if (!answers) return null
    found.push(...answers)
  }
  return found.length > 0 ? found : null
}
