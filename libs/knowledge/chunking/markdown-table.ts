import type { Table } from '@plumbline/contracts'

const cell = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')

export const tableLine = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

export const columnNames = (header: readonly (readonly string[])[], width = header[0]?.length ?? 0): string[] =>
  Array.from({ length: width }, (_, column) =>
    [...new Set(header.map((row) => (row[column] ?? '').trim()).filter((text) => text !== ''))].join(' '),
  )

export const rowCells = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((text) => text.trim().replaceAll('\\|', '|'))

const isRule = (line: string): boolean => line.includes('|') && rowCells(line).every((text) => /^:?-+:?$/.test(text))

export const startsTable = (lines: readonly string[], at: number): boolean =>
  (lines[at]?.includes('|') ?? false) && isRule(lines[at + 1] ?? '')

export const tableAt = (lines: readonly string[], at: number): Table | null => {
  if (!startsTable(lines, at)) return null
  const table: Table = { line: at, header: [rowCells(lines[at] ?? '')], rows: [] }
  for (let next = at + 2; lines[next]?.includes('|'); next += 1) table.rows.push(rowCells(lines[next] ?? ''))
  return table
}
