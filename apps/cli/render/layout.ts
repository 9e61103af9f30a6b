import { clean, type Quote } from '@plumbline/contracts'
import { type Paint, widthOf } from './text'

export type MarkedText = { text: string; marks: Quote['marks'] }
export type TextRange = [from: number, to: number]

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Replaces `\|` by `|`. Markdown requires the backslash before a bar inside a table cell. */
const plainCell = (text: string): string => clean(text).replaceAll('\\|', '|')

const splitWord = (text: string, [from, to]: TextRange, width: number): TextRange[] => {
  const pieces: TextRange[] = []
  let start = from
  for (const { segment, index } of graphemes.segment(text.slice(from, to))) {
    const at = from + index
    if (at > start && widthOf(plainCell(text.slice(start, at + segment.length))) > width) {
      pieces.push([start, at])
      start = at
    }
  }
  return [...pieces, [start, to]]
}

/** Breaks a text into lines. A word is broken only if it is wider than a line. With `whole`, URLs are never broken. */
export const brokenLines = (text: string, [from, to]: TextRange, width: number, whole = false): TextRange[] => {
  const words = [...text.slice(from, to).matchAll(/\S+/g)].flatMap(({ 0: word, index }): TextRange[] => {
    const range: TextRange = [from + index, from + index + word.length]
    const isWhole = (whole && widthOf(word) === word.length) || widthOf(plainCell(word)) <= width
    return isWhole ? [range] : splitWord(text, range, width)
  })
  const lines: TextRange[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last && widthOf(lineOf(text, [last[0], word[1]])) <= width) last[1] = word[1]
    else lines.push([...word])
  }
  return lines
}

const lineOf = (text: string, [from, to]: TextRange): string => plainCell(text.slice(from, to)).replace(/\s+/g, ' ')

export const paintedLine = (
  { text, marks }: MarkedText,
  [from, to]: TextRange,
  { bold }: Pick<Paint, 'bold'>,
): string => {
  const edges = [from, ...marks.flat().filter((at) => at > from && at < to), to].sort((a, b) => a - b)
  return edges
    .slice(1)
    .map((end, at): TextRange => [edges[at] ?? from, end])
    .map(([start, end]) => {
      const piece = lineOf(text, [start, end])
      return marks.some(([open, close]) => open <= start && end <= close) ? bold(piece) : piece
    })
    .join('')
}

export const trimmedRange = (text: string, [from, to]: TextRange): TextRange => {
  const part = text.slice(from, to)
  const start = from + part.length - part.trimStart().length
  return [start, Math.max(start, from + part.trimEnd().length)]
}

export const widest = (text: string, range: TextRange): number => widthOf(lineOf(text, range))
