import type { Quantity } from '@plumbline/knowledge/text'
import { coverage, tokens, words } from '@plumbline/knowledge/text'
import type { Asked, Cell, Resolution, Vocabulary } from '@plumbline/knowledge/tables'
import {
  askedIn,
  cellAt,
  find,
  isMissing,
  isNumeric,
  labelTokens,
  labelsOf,
  metricsOf,
  numberIn,
  partsOf,
  rowName,
} from '@plumbline/knowledge/tables'
import type { Bound } from '../reading/bound'
import { boundIn, placeOf } from '../reading/bound'
import { place } from './place'
import { matchCell } from './quantities'
import { judgeDirection, judgeRank } from './table-order'
import type { Finding } from './verdict'
import { contradicted, supported, unsupported, worst } from './verdict'

/** Where in the same table the claimed number stands instead. */
const elsewhere = (claimed: Quantity, cell: Cell): string => {
  const { table } = cell
  for (const row of [cell.row, ...table.rows.keys()])
    for (const column of row === cell.row ? table.columns.keys() : [cell.column]) {
      const other = {
        ...cell,
        row,
        column,
        text: cellAt(table, row, column),
        year: table.columns[column]?.year ?? null,
      }
      const kind = table.columns[column]?.kind
      if (kind === 'value' && matchCell(claimed, other, '') === 'same')
        return ` ${claimed.raw} stands at ${place(other)}.`
    }
  return ''
}

/** `above 90`: the cell is held against the figure, in its unit. */
const againstBound = (claimed: Quantity, cell: Cell, bound: Bound): Finding | null => {
  const value = numberIn(cell)
  if (value === null || matchCell({ ...claimed, value }, cell, '') !== 'same') return null
  const said = `“${cell.table.name}” gives ${cell.text} at ${place(cell)}`
  return bound.passes(value)
    ? supported(`${said}.`, cell.table.passageId)
    : contradicted(`${said}, which is on the other side of ${claimed.raw}.`, cell.table.passageId)
}

const judge = (claimed: Quantity, resolution: Resolution, before: string, bound: Bound | null): Finding | null => {
  const { cells, near } = resolution
  if (cells.length === 0)
    return near
      ? unsupported(
          `“${near.table.name}” holds no value for ${rowName(near.table, near.row)} in ${resolution.part.year ?? 'that year'}.`,
          near.table.passageId,
        )
      : null
  const [only] = cells
  const held =
    bound?.raws.includes(claimed.raw) && only && cells.length === 1 && !only.missing
      ? againstBound(claimed, only, bound)
      : null
  if (held) return held
  const matches = cells.map((cell) => ({
    cell,
    match: cell.missing ? ('no-number' as const) : matchCell(claimed, cell, before),
  }))
  const same = matches.find(({ match }) => match === 'same')
  if (same)
    return supported(
      `“${same.cell.table.name}” gives ${same.cell.text} at ${place(same.cell)}.`,
      same.cell.table.passageId,
    )
  const [first] = matches
  if (!first) return null
  const { cell, match } = first
  if (cell.missing)
    return contradicted(
      `“${cell.table.name}” reports no value at ${place(cell)}.${elsewhere(claimed, cell)}`,
      cell.table.passageId,
    )
  if (match === 'no-number') return null
  const what = match === 'other-unit' ? 'in another unit' : 'instead'
  return contradicted(
    `“${cell.table.name}” gives ${cell.text} at ${place(cell)} ${what}.${match === 'other-unit' ? '' : elsewhere(claimed, cell)}`,
    cell.table.passageId,
  )
}

const beforeOf = (text: string, { raw }: Quantity): string => text.slice(0, placeOf(text, raw))

const moved = /\b(?:from|to|than|until|through|between|up|down|over|under|above|below|against|versus)\b/i

/** As many numbers as cells: in order. Otherwise each number must stand in one of the cells. */
const judgeValues = (asked: Asked, text: string, vocabulary: Vocabulary): Finding[] | null => {
  const resolutions = partsOf(asked).map((part) => find({ ...part, rank: null }, vocabulary))
  const bound = boundIn(text)
  // `In 2022 and 2023 it was 1.14` says it of both.
  const ofAll =
    asked.values.length === 1 && resolutions.length > 1 && /\b(?:and|both|each)\b/i.test(text) && !moved.test(text)
  const paired = asked.values.length === resolutions.length
  const findings = asked.values.map((value, at) => {
    const fitting = paired ? resolutions.slice(at, at + 1) : resolutions
    const found = fitting.flatMap((resolution) => judge(value, resolution, beforeOf(text, value), bound) ?? [])
    if (ofAll) return worst(found)
    return found.find(({ verdict }) => verdict === 'supported') ?? found[0] ?? null
  })
  const told = findings.filter((finding) => finding !== null)
  return told.length === findings.length ? told : null
}

/** A cell of words, or a year that is itself the value. */
const judgeWords = (asked: Asked, text: string, vocabulary: Vocabulary): Finding | null => {
  const [part] = partsOf(asked)
  if (!part || part.label.length + part.keys.length === 0 || part.metric.length === 0) return null
  const label = part.label.slice(0, 1)
  const dated = find(part, vocabulary).cells
  const cells = dated.length > 0 ? dated : find({ ...part, label, year: null }, vocabulary).cells
  const [cell] = cells.filter(({ column, table }) => table.columns[column]?.year === null || dated.length > 0)
  if (!cell || cell.missing || cells.length > 1) return null
  const said = tokens(text)
  const isYear = /^\d{4}$/.test(cell.text.trim())
  if (isYear && asked.years.length > 0)
    return asked.years.includes(cell.text.trim())
      ? supported(`“${cell.table.name}” gives ${cell.text} at ${place(cell)}.`, cell.table.passageId)
      : contradicted(`“${cell.table.name}” gives ${cell.text} at ${place(cell)} instead.`, cell.table.passageId)
  if (isNumeric(cell.text)) return null
  if (coverage(words(cell.text), words(text)) >= 0.9 || tokens(cell.text).every((token) => said.includes(token)))
    return supported(`“${cell.table.name}” gives ${cell.text} at ${place(cell)}.`, cell.table.passageId)
  const others = cell.table.rows
    .map((_, row) => cellAt(cell.table, row, cell.column))
    .filter((other) => !isMissing(other) && other !== cell.text)
  const wrong = others.find((other) => tokens(other).every((token) => said.includes(token)))
  return wrong === undefined
    ? null
    : contradicted(`“${cell.table.name}” gives ${cell.text} at ${place(cell)}, not ${wrong}.`, cell.table.passageId)
}

/** What a heading has in brackets says more of it: `Lasts (people)`. */
const isSpokenOf = (header: string, said: string[]): boolean => {
  const heading = words(header.replace(/\([^)]*\)/g, ' '))
  return heading.length > 0 && coverage(heading, said) === 1
}

/** A figure of a row that is named, but under no heading that the claim speaks of: the row by itself does not carry it. */
const astray = (asked: Asked[], claim: string, { tables }: Vocabulary): Finding | null => {
  const said = words(claim)
  const keys = asked.flatMap(({ labels }) => labels.flat().flatMap((label) => label.keys))
  const values = asked.flatMap((each) => each.values)
  for (const table of tables)
    for (const row of table.rows.keys()) {
      const named = labelsOf(table, row).some((label) => keys.includes(labelTokens(label).join(' ')))
      const measured = metricsOf(table, row).flatMap(words)
      if (!named && (measured.length === 0 || coverage(measured, said) < 1)) continue
      const column = table.columns.findIndex(
        ({ kind, header }, at) =>
          kind === 'value' &&
          !isSpokenOf(header, said) &&
          isNumeric(cellAt(table, row, at)) &&
          values.some(
            (value) =>
              numberIn({ table, row, column: at, text: cellAt(table, row, at), missing: false, year: null }) ===
              value.value,
          ),
      )
      if (column >= 0)
        return unsupported(
          `“${table.name}” gives ${cellAt(table, row, column)} for ${rowName(table, row)} under “${table.columns[column]?.header ?? ''}”, which is not what is said of it.`,
          table.passageId,
        )
    }
  return null
}

/** What the tables of the cited passages say of a claim; null where they decide nothing. */
export const againstTables = (claim: string, vocabulary: Vocabulary): Finding[] | null => {
  if (vocabulary.tables.length === 0) return null
  const all = askedIn(claim, vocabulary, 'claim')
  const [first] = all
  if (!first) return null
  const rank = all
    .map((asked) => (asked.rank === null ? null : judgeRank(asked, claim, vocabulary)))
    .find((finding) => finding !== null)
  if (rank) return [rank]
  const valued = all.filter(({ values }) => values.length > 0)
  if (valued.length === 0) {
    const direction = judgeDirection(all, claim, vocabulary)
    const said = direction ?? judgeWords(first, claim, vocabulary)
    return said ? [said] : null
  }
  const findings = valued.map((asked) => judgeValues(asked, claim, vocabulary))
  if (findings.includes(null)) {
    const stray = astray(valued, claim, vocabulary)
    return stray ? [stray] : null
  }
  return [
    ...findings.flatMap((each) => each ?? []),
    ...[judgeDirection(all, claim, vocabulary)].filter((finding) => finding !== null),
  ]
}
