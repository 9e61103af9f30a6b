import { linesOf } from './segments'
import type { Line, Row, Segment } from './page'
import { around, mainStyle } from './page'

export const rowOf = (segments: readonly Segment[]): Row => ({ ...around(segments), segments: [...segments] })

/** The segments of a region as rows from above to below. */
export const rowsOf = (segments: readonly Segment[]): Row[] => linesOf(segments).map(rowOf)

/** A row as a line of running text. */
export const lineOf = ({ segments, ...box }: Row): Line => ({
  ...box,
  ...mainStyle(segments.flatMap(({ words }) => words)),
  segments,
  text: segments.map(({ text }) => text).join(' '),
})
