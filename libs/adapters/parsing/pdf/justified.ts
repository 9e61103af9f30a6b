import type { Segment } from './page'
import { linesOf, segmentOf } from './segments'

type Measure = { x: number; right: number }

const near = (a: number, b: number, by = 2): boolean => Math.abs(a - b) <= by

/** Where the lines of running text begin and end that fill their column: at least three do so alike. */
const measuresOf = (segments: readonly Segment[]): Measure[] => {
  const full = segments.filter(({ text }) => text.split(' ').length >= 4)
  const alike = Map.groupBy(full, ({ x, right }) => `${Math.round(x / 2)} ${Math.round(right / 2)}`)
  return [...alike.values()].flatMap((own) => (own.length >= 3 ? own.slice(0, 1) : []))
}

/** As wide apart as each other, as cells of a table hardly ever are. */
const isEven = (run: readonly Segment[]): boolean => {
  const gaps = run.slice(1).map(({ x }, index) => x - (run[index]?.right ?? x))
  return gaps.length >= 2 && Math.max(...gaps) - Math.min(...gaps) < 0.12 * (run[0]?.size ?? 0)
}

/** The last segment of the line of running text that begins with one, itself where there is none. */
const lastOf = (line: readonly Segment[], from: number, measures: readonly Measure[]): number => {
  const first = line[from]
  const ends = first ? measures.filter(({ x }) => near(x, first.x)).map(({ right }) => right) : []
  const to = line.findIndex((segment, index) => index > from && ends.some((right) => near(right, segment.right)))
  return to > 0 && isEven(line.slice(from, to + 1)) ? to : from
}

/** A justified line of few words is drawn so wide that it falls apart into cells; between the edges of its column it is one again. */
export const withJustified = (segments: readonly Segment[]): Segment[] => {
  const measures = measuresOf(segments)
  if (measures.length === 0) return [...segments]
  return linesOf(segments).flatMap((line) => {
    const whole: Segment[] = []
    for (let at = 0; at < line.length; at += 1) {
      const to = lastOf(line, at, measures)
      whole.push(
        ...(to > at ? [segmentOf(line.slice(at, to + 1).flatMap(({ words }) => words))] : line.slice(at, at + 1)),
      )
      at = to
    }
    return whole
  })
}
