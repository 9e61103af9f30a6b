import { Unfit } from '@plumbline/ports/document-parser'
import type { GridCell } from '../tables/grid-to-markdown'
import { isHidden, nameOf, visibleChildren } from './dom'

type Cell = { text: string; head: boolean; across: number; down: number; row: number }
type Grid = { rows: string[][]; headRows: number; merged: GridCell[]; title: string }

const most = { cells: 500_000, chars: 20_000_000, across: 1_000 }

const spanOf = (cell: Element, name: string): number => {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10)
  return Number.isFinite(span) && span >= 0 ? span : 1
}

type Row = { element: Element; group: Element; head: boolean }

const sectionOrder = (element: Element): number =>
  ['thead', 'tbody', 'tfoot'].indexOf(nameOf(element) === 'tr' ? 'tbody' : nameOf(element))

export const rowsOf = (table: Element): Row[] =>
  visibleChildren(table)
    .sort((a, b) => sectionOrder(a) - sectionOrder(b))
    .flatMap((child): Row[] => {
      const name = nameOf(child)
      if (name === 'tr') return [{ element: child, group: table, head: false }]
      if (name !== 'thead' && name !== 'tbody' && name !== 'tfoot') return []
      return visibleChildren(child)
        .filter((row) => nameOf(row) === 'tr')
        .map((element) => ({ element, group: child, head: name === 'thead' }))
    })

export const cellsOf = (row: Element): Element[] =>
  [...row.children].filter((cell) => ['td', 'th'].includes(nameOf(cell)) && !isHidden(cell))

const spread = (rows: Row[], textOf: (cell: Element) => string): Cell[][] => {
  const grid: Cell[][] = rows.map(() => [])
  const ends = new Map(rows.map(({ group }, at) => [group, at]))
  let cells = 0
  let chars = 0
  rows.forEach(({ element, group }, at) => {
    const last = ends.get(group) ?? at
    let column = 0
    for (const source of cellsOf(element)) {
      while (grid[at]?.[column]) column += 1
      const across = Math.min(Math.max(1, spanOf(source, 'colspan')), most.across)
      const asked = spanOf(source, 'rowspan')
      const down = asked === 0 ? last - at + 1 : Math.min(asked, last - at + 1)
      const cell: Cell = { text: textOf(source), head: nameOf(source) === 'th', across, down, row: at }
      cells += across * down
      chars += across * down * cell.text.length
      if (cells > most.cells || chars > most.chars)
        throw new Unfit(
          'bomb',
          'The merged cells of a table on this page expand to hundreds of thousands of cells, so the page was not read. Save the page without merged cells.',
        )
      for (let row = at; row < at + down; row += 1)
        for (let to = column; to < column + across; to += 1) (grid[row] ??= [])[to] ??= cell
      column += across
    }
  })
  return grid
}

const isTold = (grid: Cell[][], at: number): boolean => {
  const next = new Set(grid[at + 1])
  return Object.values(grid[at] ?? []).every((cell) => cell.text === '' || next.has(cell))
}

const isFullWidth = (row: Cell[], width: number): boolean =>
  width > 1 && row.length === width && row.every((cell) => cell === row[0])
const isHead = (row: Cell[]): boolean => row.length > 0 && Object.values(row).every(({ head }) => head)

/**
 * Returns the number of header rows. If the table has no `thead`, a row after the first is a header row only if merged
 * cells link it to the row above.
 */
const headRowsOf = (rows: Cell[][], heads: number, width: number): number => {
  if (heads > 0) return heads
  let count = rows[0] && isHead(rows[0]) ? 1 : 0
  const linked = (at: number): boolean =>
    (rows[at - 1] ?? []).some(
      ({ across, down, row }) => across > 1 || (down > 1 && row + down > (rows[at - 1]?.[0]?.row ?? 0) + 1),
    )
  while (
    count > 0 &&
    rows[count] &&
    isHead(rows[count] ?? []) &&
    !isFullWidth(rows[count] ?? [], width) &&
    linked(count)
  )
    count += 1
  return count
}

/** Returns the columns in which at least one cell begins, because browsers show only these columns. */
const begun = (rows: Cell[][]): number[] => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return Array.from({ length: width }, (_, column) => column).filter(
    (column) => column === 0 || rows.some((row) => column < row.length && row[column] !== row[column - 1]),
  )
}

const opens = /^[\p{Sc}(\s]+$/u
const closes = /^[)%\p{Sc}\s]+$/u

const figuresBeside = (rows: Cell[][], column: number): number | undefined =>
  [
    { beside: column + 1, sign: opens },
    { beside: column - 1, sign: closes },
  ].find(({ beside, sign }) => {
    const alone = rows.filter((row) => {
      const text = row[column]?.text.trim() ?? ''
      return text !== '' && row[column] !== row[column - 1] && row[column] !== row[column + 1]
    })
    return (
      alone.length > 0 &&
      alone.every((row) => sign.test(row[column]?.text ?? '') && /[\d–—-]/.test(row[beside]?.text ?? ''))
    )
  })?.beside

const gathered = (rows: Cell[][]): Cell[][] => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const signs = new Map<number, number>()
  const kept: number[] = []
  for (let column = 0; column < width; column += 1) {
    const beside = figuresBeside(rows, column)
    if (beside !== undefined) signs.set(column, beside)
    const isRoom = rows.every(
      (row) => row[column]?.text === '' || [row[kept.at(-1) ?? -1], row[column + 1]].includes(row[column]),
    )
    if (beside === undefined && (!isRoom || (column === width - 1 && kept.length === 0))) kept.push(column)
  }
  const withSigns = (row: Cell[], column: number): Cell[] => {
    const cell = row[column]
    if (!cell) return []
    const parts = [column - 1, column, column + 1].filter((at) => at === column || signs.get(at) === column)
    const text = [...new Set(parts.map((at) => row[at]))].map((part) => part?.text.trim() ?? '').join('')
    return parts.length === 1 || text === cell.text ? [cell] : [{ ...cell, text }]
  }
  return rows.map((row) => kept.flatMap((column) => withSigns(row, column)))
}

const mergedIn = (rows: Cell[][]): GridCell[] => {
  const found = new Map<Cell, GridCell>()
  rows.forEach((row, at) =>
    row.forEach((cell, column) => {
      const known = found.get(cell)
      if (!known) found.set(cell, { row: at, column, across: 1, down: 1, text: cell.text })
      else Object.assign(known, { across: Math.max(known.across, column - known.column + 1), down: at - known.row + 1 })
    }),
  )
  return [...found.values()].filter(({ across, down }) => across > 1 || down > 1)
}

export const gridOf = (table: Element, textOf: (cell: Element) => string): Grid => {
  const sources = rowsOf(table)
  const spreadRows = spread(sources, textOf)
  const kept = spreadRows.flatMap((row, at) =>
    isTold(spreadRows, at)
      ? []
      : [
          {
            row: Array.from(row, (cell): Cell => cell ?? { text: '', head: false, across: 1, down: 1, row: at }),
            head: sources[at]?.head ?? false,
          },
        ],
  )
  const columns = begun(kept.map(({ row }) => row))
  const rows = gathered(kept.map(({ row }) => columns.flatMap((column) => row[column] ?? [])))
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const heads = kept.findIndex(({ head }) => !head)
  const marked = heads < 0 ? kept.length : heads
  const [first = [], second = []] = rows
  const titled =
    isFullWidth(first, width) &&
    first[0]?.head === true &&
    (marked > 1 || (isHead(second) && !isFullWidth(second, width)))
  const body = titled ? rows.slice(1) : rows
  const headRows = headRowsOf(body, Math.max(0, marked - (titled ? 1 : 0)), width)
  return {
    rows: body.map((row) => row.map(({ text }) => text)),
    headRows: Math.min(headRows, Math.max(1, body.length - 1)),
    merged: mergedIn(body),
    title: titled ? (first[0]?.text ?? '') : '',
  }
}
