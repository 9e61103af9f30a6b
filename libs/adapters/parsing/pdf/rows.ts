import { isSign } from './marks'
import type { Line, Row, Segment, Word } from './page'
import { around, mainStyle, median } from './page'
import { linesOf } from './segments'

export const rowOf = (segments: readonly Segment[]): Row => ({ ...around(segments), segments: [...segments] })

/** The segments of a region as rows from above to below. */
export const rowsOf = (segments: readonly Segment[]): Row[] => linesOf(segments).map(rowOf)

const signed = (words: readonly Word[], text: string): string =>
  isSign(words) ? `• ${text.slice(words[0]?.text.length ?? 0).trim()}` : text

/** A run of words is told by the font it begins in; letters all of one width tell whether the line is monospaced throughout. */
const isEven = (words: readonly Word[]): boolean => {
  const widths = words.filter(({ text }) => text.length >= 3).map(({ text, x, right }) => (right - x) / text.length)
  const usual = median(widths)
  return widths.filter((width) => Math.abs(width - usual) > 0.1 * usual).length <= 0.15 * widths.length
}

/** A row as a line of running text. */
export const lineOf = ({ segments, ...box }: Row): Line => {
  const words = segments.flatMap((segment) => segment.words)
  const style = mainStyle(words)
  const mono = style.mono && words.every((word) => word.mono) && isEven(words)
  return { ...box, ...style, mono, segments, text: signed(words, segments.map(({ text }) => text).join(' ')) }
}
