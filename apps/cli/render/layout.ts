import { clean, type Quote } from '@plumbline/contracts'
import { type Paint, widthOf } from './text'

/** A text and its ranges to highlight. The layout works with offsets into the text, and highlights are added last. */
export type Marked = { text: string; marks: Quote['marks'] }
export type Range = [from: number, to: number]

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Removes the backslash before a bar, which Markdown needs inside a table cell. */
const said = (text: string): string => clean(text).replaceAll('\\|', '|')

/** Splits a word that is wider than its column. The word continues on the next lines. */
const cutUp = (text: string, [from, to]: Range, width: number): Range[] => {
  const pieces: Range[] = []
  let start = from
  for (const { segment, index } of graphemes.segment(text.slice(from, to))) {
    const at = from + index
    if (at > start && widthOf(said(text.slice(start, at + segment.length))) > width) {
      pieces.push([start, at])
      start = at
    }
  }
  return [...pieces, [start, to]]
}

/**
 * Splits a part of a text into lines. Breaks between words, and within a word that is wider than a line. With `whole`,
 * URLs are not broken.
 */
export const broken = (text: string, [from, to]: Range, width: number, whole = false): Range[] => {
  const words = [...text.slice(from, to).matchAll(/\S+/g)].flatMap(({ 0: word, index }): Range[] => {
    const range: Range = [from + index, from + index + word.length]
    const isWhole = (whole && widthOf(word) === word.length) || widthOf(said(word)) <= width
    return isWhole ? [range] : cutUp(text, range, width)
  })
  const lines: Range[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last && widthOf(lineOf(text, [last[0], word[1]])) <= width) last[1] = word[1]
    else lines.push([...word])
  }
  return lines
}

const lineOf = (text: string, [from, to]: Range): string => said(text.slice(from, to)).replace(/\s+/g, ' ')

/** Returns one line of a text with its marks in bold. */
export const painted = ({ text, marks }: Marked, [from, to]: Range, { bold }: Pick<Paint, 'bold'>): string => {
  const edges = [from, ...marks.flat().filter((at) => at > from && at < to), to].sort((a, b) => a - b)
  return edges
    .slice(1)
    .map((end, at): Range => [edges[at] ?? from, end])
    .map(([start, end]) => {
      const piece = lineOf(text, [start, end])
      return marks.some(([open, close]) => open <= start && end <= close) ? bold(piece) : piece
    })
    .join('')
}

export const trimmed = (text: string, [from, to]: Range): Range => {
  const part = text.slice(from, to)
  const start = from + part.length - part.trimStart().length
  return [start, Math.max(start, from + part.trimEnd().length)]
}

export const widest = (text: string, range: Range): number => widthOf(lineOf(text, range))
