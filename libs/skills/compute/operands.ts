import type { Evidence } from '@plumbline/contracts'
import type { Cell, Part } from '@plumbline/knowledge/tables'
import { askedIn, rowName, signed, vocabularyOf } from '@plumbline/knowledge/tables'
import { numbers, withoutCitations, years } from '@plumbline/knowledge/text'
import { figureInProse } from '../reading/figure'
import type { Lookup } from '../reading/lookup'
import { lookUp } from '../reading/lookup'
import type { Operation } from './asked'
import type { Operand } from './operations'

/** The figures that the question itself gives, years left out. */
export const operandsIn = (question: string): Operand[] => {
  const told = new Set(years(question))
  return numbers(question)
    .filter(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !told.has(raw))
    .map(({ value, unit, raw }) => ({ said: raw, value, unit, passageId: null, year: null }))
}

/** Whether figures of the question tell rows of the documents' tables apart, so that nothing is to be worked out from them: `with 20 floors`. */
export const namesRows = (question: string, evidence: Evidence[]): boolean =>
  askedIn(question, vocabularyOf(evidence), 'question').some(({ keys }) => keys.length > 0)

/** What the words for the operation would hide from whoever looks up the figures. */
const operationWords =
  /\b(?:by )?how (?:much|many)\s+(?:more|less|higher|lower|larger|smaller|greater|fewer|longer|bigger|times)\b|\bby how much\b|\b(?:by )?(?:what|which|how many|how much)\s+(?:percentage points?|percent(?:age)?|per cent|share)\b|\b(?:percent(?:age)?|per cent|relative)\s+(?:change|increase|decrease|growth|rise|drop|difference)\b|\b(?:in|as an?) (?:percent(?:age)?|per cent|total|all)\b|\b(?:total|sum|combined|altogether|together|average|mean|differences?|ratio|percent(?:age)?)\b|\b(?:chang|increas|decreas|declin)\w*\b|\b(?:grow|grew|grown|rise|rose|fall|fell|drop|dropped|higher|lower|larger|smaller|greater|fewer|more|less)\b|\bwhat\s+(?:is|are|was|were)\b|\b(?:did|does|do|has|have|had)\b|\bbetween\b/gi

/** The question without its arithmetic: what is to be looked up for it. A change has two ends, and nothing between them. */
const lookedUp = (question: string, operation: Operation): string =>
  `What is the ${withoutCitations(question)
    .replace(
      /\bfrom\s+(\d{4})\s+(?:to|until|through)\s+(\d{4})\b/gi,
      operation === 'total' || operation === 'average' ? '$&' : 'in $1 and $2',
    )
    .replace(operationWords, ' ')
    .replace(/\bthan\b|\bto(?!\s+\d)\b|\bversus\b|\bvs\.?(?=\s)/gi, ' and ')
    .replace(/\b(?:that|those) of\b/gi, ' ')
    .replace(/^\s*(?:how many|how much|calculate|compute|find)\b/i, ' ')
    .replace(/^[\s,]*(?:(?:of|in|for|the|was|is|were|are|and)\s+)+/i, '')
    .replace(/\s+/g, ' ')
    .trim()}`

const rowOfTotals = /\b(?:total|sum|overall|average|mean|all)\b/i

/** The unit a cell is in: its own, or the one its header or caption gives. */
const unitOf = ({ table, column, text }: Cell): string => {
  const own = numbers(text).find(({ raw }) => /\d/.test(raw))?.unit ?? ''
  if (own !== '') return own
  const header = table.columns[column]?.header ?? ''
  const bracketed = /\(([^)]+)\)\s*$/.exec(header)?.[1]
  return bracketed ?? (/%|\bpercent/i.test(`${header} ${table.context}`) ? '%' : '')
}

const saidOf = ({ table, row, column, year }: Cell, part: Part): string => {
  const { header = '', year: dated } = table.columns[column] ?? {}
  const measure = dated === null ? header.replace(/\s*\([^)]*\)\s*$/, '') : part.metric.map(({ raw }) => raw).join(' ')
  return [
    measure,
    rowName(table, row) === '' ? '' : `of ${rowName(table, row)}`,
    ...part.keys.map(({ raw }) => `with ${raw}`),
    year === null ? '' : `in ${year}`,
  ]
    .filter((word) => word !== '')
    .join(' ')
}

const operandOf = (cell: Cell, part: Part): Operand | null => {
  const held = numbers(signed(cell.text)).filter(({ raw }) => /\d/.test(raw))
  const [figure, other] = held
  return cell.missing || !figure || other
    ? null
    : {
        said: saidOf(cell, part),
        value: figure.value,
        unit: unitOf(cell),
        passageId: cell.table.passageId,
        year: cell.year,
        row: `${cell.table.name}|${rowName(cell.table, cell.row)}`,
      }
}

/** A sentence that gives one figure and no other. */
const operandInProse = (part: Part, evidence: Evidence[]): Operand | null => {
  const unit = figureInProse(part, evidence)
  if (!unit) return null
  const told = new Set(years(unit.text))
  const [figure, other] = numbers(unit.text).filter(
    ({ raw, unit: of }) => /\d/.test(raw) && of !== 'th' && !told.has(raw),
  )
  const said = [
    part.metric.map(({ raw }) => raw).join(' '),
    part.label.length > 0 ? `of ${part.label.map(({ raw }) => raw).join(' ')}` : '',
    part.year === null ? '' : `in ${part.year}`,
  ]
  return figure && !other
    ? {
        said: said.filter((word) => word !== '').join(' '),
        value: figure.value,
        unit: figure.unit,
        passageId: unit.passageId,
        year: part.year,
        row: part.label.map(({ raw }) => raw).join(' '),
      }
    : null
}

/** Rows that are all asked for at once: with one of them unreported, the sum of the others is another sum. */
const cellsOf = ({ part, resolution: { cells } }: Lookup): Cell[] | null => {
  if (part.label.length > 0) return cells.slice(0, 1)
  const [first] = cells
  if (!first || cells.some(({ table, column }) => table !== first.table || column !== first.column)) return null
  const gaps = first.table.rows.some(
    (row, at) =>
      !cells.some((cell) => cell.row === at) && !rowOfTotals.test(rowName(first.table, at)) && row.length > 0,
  )
  return gaps ? null : cells.filter(({ table, row }) => !rowOfTotals.test(rowName(table, row)))
}

/** A word for the operation that is part of a column's own name is no operation: `Total revenue`, `Mean dwell time`. */
const isOwnName = (question: string, { table, column }: Cell): boolean => {
  const header = table.columns[column]?.header ?? ''
  return ['total', 'average', 'mean', 'sum', 'ratio', 'difference', 'share', 'change'].some(
    (word) => new RegExp(`\\b${word}\\b`, 'i').test(header) && new RegExp(`\\b${word}\\b`, 'i').test(question),
  )
}

const readAll = (lookups: Lookup[], evidence: Evidence[], wanted: (cell: Cell) => boolean): Operand[] => {
  const found = new Map<string, Operand>()
  for (const lookup of lookups) {
    const cells = lookup.resolution.cells.length > 0 ? cellsOf(lookup) : []
    if (lookup.part.rank !== null || cells === null || !cells.every(wanted)) return []
    const operands =
      cells.length > 0 ? cells.map((cell) => operandOf(cell, lookup.part)) : [operandInProse(lookup.part, evidence)]
    for (const operand of operands) {
      if (operand === null) return []
      if (!found.has(operand.said)) found.set(operand.said, operand)
    }
  }
  return [...found.values()]
}

/** The figures of tables and prose that an operation is to be done with; none where one of them is missing. */
export const operandsFrom = (question: string, evidence: Evidence[], operation: Operation): Operand[] =>
  readAll(lookUp(lookedUp(question, operation), vocabularyOf(evidence)), evidence, (cell) => !isOwnName(question, cell))

/** The one figure a question asks for. */
export const operandFor = (question: string, evidence: Evidence[]): Operand | null => {
  const [operand, other] = readAll(lookUp(question, vocabularyOf(evidence)), evidence, () => true)
  return other ? null : (operand ?? null)
}
