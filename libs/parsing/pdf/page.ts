import type { WarningKind } from '@plumbline/contracts'

/** Positions are in points from the top left of the page. */
export type Box = { x: number; y: number; right: number; bottom: number }

export type Style = { size: number; bold: boolean; mono: boolean }

/** `glued` is true if no space precedes the word. `turned` is set if the word is rotated by 90 degrees. */
export type Word = Box & Style & { text: string; font: string; glued: boolean; turned?: 'up' | 'down' }

/** A line of a text column or of a table cell. */
export type Segment = Box & Style & { text: string; words: Word[] }

export type Row = Box & { segments: Segment[] }

/** A drawn line. A horizontal line is at y = `at`, from x = `from` to x = `to`. A vertical line swaps x and y. */
export type Rule = { at: number; from: number; to: number }
export type Rules = { across: Rule[]; down: Rule[] }

/** In the warnings of the document, `overprinted` becomes `damaged-text`, and `doubtful` becomes `ocr`. */
export type PageWarning = WarningKind | 'overprinted' | 'doubtful'

/** `pictured` is true if one image covers the page. `late` is true if OCR skipped the page after its time limit. */
export type Page = {
  number: number
  width: number
  height: number
  words: Word[]
  rules: Rules
  pictured: boolean
  overprinted?: Word[]
  blank?: boolean
  warning?: PageWarning
  late?: boolean
}

export type LaidPage = Page & { segments: Segment[] }

/** `edges` are the x positions of the column boundaries, including the left and right edges. */
export type Table = Box & { kind: 'table'; rows: string[][]; headerRows: number; edges: number[] }
export type Line = Box & Style & { text: string; segments: Segment[] }
export type Block =
  | Table
  | (Box & Style & { kind: 'text'; lines: Line[]; text: string; level?: number })
  | (Box & Style & { kind: 'list'; lines: Line[]; text: string })
  | (Box & { kind: 'code'; text: string })

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export const around = (boxes: readonly Box[]): Box => {
  const box = { x: Infinity, y: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { x, y, right, bottom } of boxes) {
    if (x < box.x) box.x = x
    if (y < box.y) box.y = y
    if (right > box.right) box.right = right
    if (bottom > box.bottom) box.bottom = bottom
  }
  return box
}

type Reach = Pick<Box, 'y' | 'bottom'>

export const middle = ({ y, bottom }: Reach): number => (y + bottom) / 2
export const center = ({ x, right }: Box): number => (x + right) / 2

const sharedDown = (a: Reach, b: Reach): number => Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y))

export const beside = (a: Reach, b: Reach): boolean => sharedDown(a, b) > 0.5 * Math.min(a.bottom - a.y, b.bottom - b.y)

export const holds = (box: Box, one: Box): boolean =>
  center(one) > box.x && center(one) < box.right && middle(one) > box.y && middle(one) < box.bottom

type Lettered = Style & { text: string }

const mainSize = (words: readonly Lettered[], letters: number): number => {
  const size = words[0]?.size ?? 0
  if (words.every((word) => word.size === size)) return size
  let left = Math.floor(letters / 2)
  return words.toSorted((a, b) => a.size - b.size).find(({ text }) => (left -= text.length) < 0)?.size ?? size
}

export const mainStyle = (words: readonly Lettered[]): Style => {
  let [letters, bold, mono] = [0, 0, 0]
  for (const word of words) {
    letters += word.text.length
    if (word.bold) bold += word.text.length
    if (word.mono) mono += word.text.length
  }
  return { size: mainSize(words, letters), bold: bold > letters / 2, mono: mono > letters / 2 }
}
