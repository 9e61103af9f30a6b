import { lineBreak as breaks, rowCells } from './row-cells'

/** What counts for each row is a name or a number: as much text, repeated, is none. */
const mostRepeated = 4_000

/** Several rows that a document drew as one: the same number of lines in two cells at least, and one line in the others, which counts for each. */
const unstackedRow = (row: string): string[] => {
  if (!breaks.test(row)) return [row]
  const cells = rowCells(row).map((cell) => cell.split(breaks).map((line) => line.trim()))
  const height = Math.max(...cells.map((lines) => lines.length))
  const tall = cells.filter((lines) => lines.length === height)
  const repeated = cells.reduce((sum, lines) => sum + (lines.length === 1 ? (lines[0]?.length ?? 0) : 0), 0)
  if (
    tall.length < 2 ||
    repeated * height > mostRepeated ||
    cells.some((lines) => lines.length !== height && lines.length !== 1)
  )
    return [row]
  return Array.from(
    { length: height },
    (_, at) => `| ${cells.map((lines) => (lines.length === height ? lines[at] : lines[0]) ?? '').join(' | ')} |`,
  )
}

/** Each row of a Markdown table on a line of its own, so that it can be read alone. */
export const unstacked = (table: string): string =>
  breaks.test(table)
    ? table
        .split('\n')
        .flatMap((row, at) => (at < 2 ? [row] : unstackedRow(row)))
        .join('\n')
    : table
