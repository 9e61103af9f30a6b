import { Unfit } from '@plumbline/ports/document-parser'

/** A cell at its place; `across` and `down` are how many columns and rows it covers. */
export type GridCell = { row: number; column: number; across: number; down: number; text: string }
export type Grid = { rows: string[][]; merged: GridCell[] }

const mostCharacters = 50_000_000
const mostCells = 5_000_000

const tooLarge = (file: string): Unfit =>
  new Unfit(
    'too-large',
    `${file} has a table that fills more than ${mostCells} cells, or merged cells that repeat too much text. Split it into smaller ones.`,
  )

/** Cells laid out in rows; a merged one repeats its text wherever it reaches, so that each row and column can be read alone. */
export const gridOf = (cells: GridCell[], file: string): Grid => {
  const height = cells.reduce((most, { row, down }) => Math.max(most, row + down), 0)
  const width = cells.reduce((most, { column, across }) => Math.max(most, column + across), 0)
  let left = mostCharacters
  if (height * width > mostCells) throw tooLarge(file)
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => ''))
  const isMerged = ({ across, down }: GridCell): boolean => across > 1 || down > 1
  const merged = cells.filter(isMerged)
  // What a merged cell was drawn over is not seen, though it may still be there.
  for (const { row, column, across, down, text } of [...cells.filter((cell) => !isMerged(cell)), ...merged]) {
    left -= text.length * across * down
    if (left < 0) throw tooLarge(file)
    for (let at = row; at < row + down; at += 1) rows[at]?.fill(text, column, column + across)
  }
  return { rows, merged }
}
