import { isSign } from './marks'
import type { Line, Row, Segment, Word } from './page'
import { around, mainStyle } from './page'
import { linesOf } from './segments'

export const rowOf = (segments: readonly Segment[]): Row => ({ ...around(segments), segments: [...segments] })

/** The segments of a region as rows from above to below. */
export const rowsOf = (segments: readonly Segment[]): Row[] => linesOf(segments).map(rowOf)

const signed = (words: readonly Word[], text: string): string => (isSign(words) ? `• ${text.slice(words[0]?.text.length ?? 0).trim()}` : text)

/** A row as a line of running text. */
export const lineOf = ({ segments, ...box }: Row): Line => ({
  ...box,
  ...mainStyle(segments.flatMap(({ words }) => words)),
  segments,
  text: signed(segments.flatMap(({ words }) => words), segments.map(({ text }) => text).join(' ')),
})
