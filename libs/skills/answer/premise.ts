import type { Evidence } from '@plumbline/contracts'
import type { Cell, Part, Vocabulary } from '@plumbline/knowledge/tables'
import { numberIn } from '@plumbline/knowledge/tables'
import { coverage, numbers, subjectWords, words, years } from '@plumbline/knowledge/text'
import { bearings } from '../reading/bearing'
import type { Granted } from '../reading/granted'
import { grantedIn } from '../reading/granted'
import { isSpecific, lookUp } from '../reading/lookup'
import { needOf } from '../reading/need'
import { correction } from '../wording/correction'
import type { Statement } from './statement'
import { inside, measureName, subject, valueSentence } from './table-wording'

const opened = (text: string): string =>
  /^(?:the|a|an|in|it|its|there|this|these)\b/i.test(text) ? inside(text) : text
const isYear = (text: string): boolean => /^(?:1[5-9]|20)\d\d$/.test(text.trim())

const saidOf = (cell: Cell, part: Part): Statement => {
  const text = valueSentence(cell, part)
  return {
    text: correction + (text.startsWith(subject(cell, part)) ? inside(text) : opened(text)),
    passageIds: [cell.table.passageId],
  }
}

/** Only what was asked about is put right: a mean radius says nothing of a mean distance. */
const isAsked = (cell: Cell, part: Part, bare: string): boolean =>
  coverage(words(measureName(cell, part).replace(/\([^)]*\)/g, ' ')), words(bare)) === 1

const fromCells = ({ bare, values, dates }: Granted, vocabulary: Vocabulary): Statement[] => {
  const undated = values.length === 0
  const told = lookUp(undated ? dates.reduce((text, year) => text.replace(year, ' '), bare) : bare, vocabulary).flatMap(
    ({ part, resolution }) =>
      isSpecific(part) && part.label.length > 0
        ? resolution.cells
            .filter(
              (cell) =>
                !cell.missing && isAsked(cell, part, bare) && numberIn(cell) !== null && isYear(cell.text) === undated,
            )
            .map((cell) => ({ cell, part }))
        : [],
  )
  const granted = undated ? dates.map(Number) : values
  const last = told.at(-1)
  return !last || told.some(({ cell }) => granted.includes(numberIn(cell) ?? NaN)) ? [] : [saidOf(last.cell, last.part)]
}

const fromSentence = ({ bare, values, dates }: Granted, evidence: Evidence[]): Statement[] => {
  const plain = dates.reduce((text, year) => text.replace(year, ' '), bare)
  const [best] = bearings(plain, evidence).filter(({ kind }) => kind !== 'row')
  const asked = subjectWords(plain)
  if (!best || asked.length < 2 || coverage(asked, words(best.text)) < 0.75) return []
  const told = years(best.text)
  const figures = numbers(best.text)
    .filter(({ raw, unit }) => unit !== 'th' && !told.includes(raw))
    .map(({ value }) => value)
  const otherDate = dates.length > 0 && told.length > 0 && !dates.some((year) => told.includes(year))
  const otherFigure = values.length > 0 && figures.length > 0 && !values.some((value) => figures.includes(value))
  return otherDate || otherFigure ? [{ text: `${correction}${opened(best.text)}`, passageIds: [best.passageId] }] : []
}

/** What the evidence says where a question takes a figure or a year for granted that the evidence gives otherwise; nothing where it does not. */
export const corrected = (request: string, evidence: Evidence[], vocabulary: Vocabulary): Statement[] => {
  const granted = grantedIn(request)
  if (!granted || needOf(request).words.length === 0) return []
  const cells = fromCells(granted, vocabulary)
  return cells.length > 0 ? cells : fromSentence(granted, evidence)
}
