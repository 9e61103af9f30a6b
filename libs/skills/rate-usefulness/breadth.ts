import type { Evidence } from '@plumbline/contracts'
import { overlap, requests, subjectWords } from '@plumbline/knowledge/text'
import { bearings } from '../reading/bearing'
import type { Lookup } from '../reading/lookup'
import { needOf } from '../reading/need'

const manyRows = 6
const manyPassages = 4

/** A measure without a row: every row of the table would answer. */
const wholeTable = (lookups: Lookup[]): boolean =>
  lookups.some(
    ({ part, resolution }) =>
      part.label.length === 0 &&
      part.rank === null &&
      new Set(resolution.cells.map(({ table, row }) => `${table.name}|${row}`)).size > manyRows,
  )

/** Few words, no name, no year, and many passages that bear on them while saying different things. */
export const isTooBroad = (question: string, evidence: Evidence[], lookups: Lookup[]): boolean => {
  const need = needOf(question)
  if (requests(question).length > 1 || need.years.length > 0) return false
  if (wholeTable(lookups))
    return !bearings(question, evidence).some(({ kind, score }) => kind !== 'row' && score >= 0.95)
  const vague =
    subjectWords(question).length <= 2 &&
    (need.want === 'fact' || need.want === 'meaning') &&
    !/^(?:what (?:is|are|does)|define|who|which)\b/i.test(question.trim())
  if (!vague) return false
  const bearing = evidence.filter((passage) => (bearings(question, [passage])[0]?.score ?? 0) >= 0.8)
  const apart = bearing.filter((passage, at) =>
    bearing.slice(0, at).every((earlier) => overlap(earlier.text, passage.text) < 0.5),
  )
  const headings = new Set(apart.map(({ documentId, headingPath }) => `${documentId}|${headingPath.join('>')}`))
  return apart.length >= manyPassages && headings.size >= manyPassages
}
