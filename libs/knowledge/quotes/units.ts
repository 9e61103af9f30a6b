import { ownTitle, type Passage, type PassageTable } from '@plumbline/contracts'
import { fencedTo, headingIn } from '../chunking/blocks'
import { sentenceSpans } from '../text'
import { cutMark, headingRows, passageTables } from '../chunking/tables'
import { introduces, listItem } from '../chunking/units'

export type Part = { from: number; to: number; kind?: 'prose' | 'item' | 'row' | 'code' }

export type Unit = Part & {
  kind: NonNullable<Part['kind']>
  /**
   * The lines that are quoted with this unit: headings, lead-in and parents of a list item, code fences, or a table
   * header.
   */
  frame: Part[]
  /** The index of the first line of the unit's block. */
  block: number
  /** Whether the row's table continues in another passage. */
  cut?: boolean
}

type Reading = {
  text: string
  lines: { text: string; from: number; to: number }[]
  units: Unit[]
  heading: Part[]
  /** `last` is the end of the previous paragraph. `followed`: a list, table or code came after that paragraph. */
  last: Part[]
  followed: boolean
  /** The list items in which the next item may be nested. */
  open: { indent: number; part: Part }[]
}

const partOf = ({ lines }: Reading, first: number, end: number): Part => ({
  from: lines[first]?.from ?? 0,
  to: lines[end - 1]?.to ?? 0,
})

const add = (
  { units, heading: headings }: Reading,
  kind: Unit['kind'],
  block: number,
  part: Part,
  frame: Part[],
): void => {
  units.push({ ...part, kind, block, frame: [...headings, ...frame] })
}

/** This limit is in characters. A longer "sentence" is really a list, so it is split into its lines. */
export const longestQuote = 650

const sentenceParts = ({ lines }: Reading, { from, to }: Part): Part[] =>
  to - from <= longestQuote
    ? [{ from, to }]
    : lines
        .filter((line) => line.to > from && line.from < to && line.text.trim() !== '')
        .map((line) => ({ from: Math.max(from, line.from), to: Math.min(to, line.to) }))

/** Adds the sentences of a paragraph. A line break does not end a sentence. */
const readProse = (reading: Reading, first: number, end: number): void => {
  const { from, to } = partOf(reading, first, end)
  const [lead] = reading.last
  const over = lead && !reading.followed && introduces.test(reading.text.slice(lead.from, lead.to)) ? [lead] : []
  for (const span of sentenceSpans(reading.text.slice(from, to).replaceAll('\n', ' '))) {
    for (const part of sentenceParts(reading, { from: from + span.from, to: from + span.to })) {
      add(reading, 'prose', first, part, over)
      reading.last = [part]
    }
  }
  reading.followed = false
  reading.open = []
}

const readItem = (reading: Reading, first: number, end: number, indent: number): void => {
  const part = partOf(reading, first, end)
  const above = reading.open.filter((other) => other.indent < indent)
  add(reading, 'item', first, part, [...reading.last, ...above.map((other) => other.part)])
  reading.open = [...above, { indent, part }]
  reading.followed = true
}

const readRows = (reading: Reading, table: PassageTable): void => {
  const { line: first, rows } = table
  const header = partOf(reading, first, first + 2)
  const rowAt = (row: number): Part => ({ ...partOf(reading, first + 2 + row, first + 3 + row), kind: 'row' })
  const headings = headingRows(table)
  const from = reading.units.length
  for (const row of rows.keys()) {
    const group = headings[row] ?? row
    add(reading, 'row', first, rowAt(row), [...reading.last, header, ...(group === row ? [] : [rowAt(group)])])
  }
  if (table.cut?.before || table.cut?.behind) for (const unit of reading.units.slice(from)) unit.cut = true
  reading.followed = true
}

const readCode = (reading: Reading, first: number, end: number): void => {
  const fence = (reading.lines[first]?.text ?? '').trim().slice(0, 3)
  const closed = end - first > 1 && reading.lines[end - 1]?.text.trim().startsWith(fence)
  const fences = [partOf(reading, first, first + 1), ...(closed ? [partOf(reading, end - 1, end)] : [])]
  for (let at = first + 1; at < end - (closed ? 1 : 0); at += 1)
    add(reading, 'code', first, partOf(reading, at, at + 1), [...reading.last, ...fences])
  reading.followed = true
}

const linesOf = (text: string): Reading['lines'] => {
  let from = 0
  return text.split('\n').map((line) => {
    const start = from
    from += line.length + 1
    return { text: line, from: start, to: start + line.trimEnd().length }
  })
}

export const unitsIn = (passage: Passage): Unit[] => {
  const { text, headingPath } = passage
  const tables = new Map(passageTables(passage).map((table) => [table.line, table]))
  const reading: Reading = { text, lines: linesOf(text), units: [], heading: [], last: [], followed: false, open: [] }
  const lines = reading.lines.map((line) => line.text)
  const known = new Set([ownTitle(passage), ...headingPath, cutMark, ''])
  const isBlank = (line: string): boolean => line.trim() === ''
  const opens = (line: string, at: number): boolean =>
    isBlank(line) || listItem.test(line) || headingIn(line) !== null || tables.has(at) || fencedTo(lines, at) >= 0
  const endOf = (from: number, ends: (line: string, at: number) => boolean): number => {
    const length = lines.slice(from).findIndex((line, at) => ends(line, from + at))
    return length < 0 ? lines.length : from + length
  }
  for (let at = 0, end = 0; at < lines.length; at = end) {
    const line = lines[at] ?? ''
    const table = tables.get(at)
    const indent = listItem.exec(line)?.[1]?.length
    end = at + 1
    if (fencedTo(lines, at) >= 0) {
      end = fencedTo(lines, at) + 1
      readCode(reading, at, end)
    } else if (table) {
      end = at + 2 + table.rows.length
      readRows(reading, table)
    } else if (headingIn(line) !== null) {
      reading.heading = [partOf(reading, at, end)]
      reading.last = []
    } else if (indent !== undefined) {
      end = endOf(end, opens)
      readItem(reading, at, end, indent)
    } else if (!isBlank(line)) {
      end = endOf(end, opens)
      if (end - at > 1 || !known.has(line.trim())) readProse(reading, at, end)
    }
  }
  return reading.units
}

const between = (text: string, before: Part, next: Part, kind: Unit['kind'] | undefined): string => {
  const gap = text.slice(before.to, next.from)
  if (gap.trim() === '') return gap
  if (kind === 'row') return '\n'
  return kind === 'code' ? `\n${cutMark}\n` : `\n\n${cutMark}\n\n`
}

export const quoteOf = (text: string, units: readonly Unit[]): string => {
  const kinds = new Map<number, Unit['kind']>()
  const parts = new Map<number, Part>()
  for (const unit of units) {
    for (const part of [...unit.frame, unit]) {
      parts.set(part.from, part)
      if (part.kind) kinds.set(part.from, part.kind)
    }
    const close = unit.frame.at(-1)
    if (unit.kind === 'code' && close && close.from > unit.from) kinds.set(close.from, 'code')
  }
  const ordered = [...parts.values()].sort((a, b) => a.from - b.from)
  return ordered
    .map((part, at) => {
      const before = ordered[at - 1]
      return (before ? between(text, before, part, kinds.get(part.from)) : '') + text.slice(part.from, part.to)
    })
    .join('')
}
