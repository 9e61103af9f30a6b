import { rowsOf, segmentOf } from './lines'
import type { Row, Segment, Word } from './page'

/** Each letter is five points wide. */
export const wordsAt = (text: string, x: number, y: number, more: Partial<Word> = {}): Word[] => {
  let at = x
  return text.split(' ').map((word) => {
    const from = at
    at += (word.length + 1) * 5
    return {
      text: word,
      x: from,
      right: from + word.length * 5,
      y,
      bottom: y + 10,
      size: 10,
      bold: false,
      mono: false,
      font: 'F',
      glued: false,
      ...more,
    }
  })
}

export const segmentAt = (text: string, x: number, y: number, more: Partial<Word> = {}): Segment =>
  segmentOf(wordsAt(text, x, y, more))

/** `xs` are the positions of the columns, and `step` is the distance between rows in points. */
export const rowsAt = (cells: readonly string[][], xs: readonly number[], y = 100, step = 14): Row[] =>
  rowsOf(
    cells.flatMap((row, index) =>
      row.flatMap((text, column) => (text === '' ? [] : [segmentAt(text, xs[column] ?? 0, y + index * step)])),
    ),
  )
