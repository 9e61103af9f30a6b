import type { Box, Rule, Rules, Segment } from './page'

/** A cell of a grid: the rows and columns it spans, last ones included. */
export type Slot = Box & { row: number; column: number; lastRow: number; lastColumn: number }
/** A cell with the lines of text in it. */
export type Filled = Slot & { lines: Segment[] }
export type Grid = Box & { xs: number[]; ys: number[]; slots: Slot[] }

const near = 3.2

/** Rules that touch each other, as one drawing. */
const drawings = ({ across, down }: Rules): Rules[] => {
  const parts: Rules[] = down.map((rule) => ({ across: [], down: [rule] }))
  const touches = (one: Rule, other: Rule): boolean =>
    other.at >= one.from - near && other.at <= one.to + near && one.at >= other.from - near && one.at <= other.to + near
  for (const rule of across) {
    const met = parts.filter((part) => part.down.some((other) => touches(rule, other)))
    const [first, ...others] = met
    if (!first) continue
    first.across.push(rule)
    for (const other of others) {
      first.across.push(...other.across)
      first.down.push(...other.down)
      parts.splice(parts.indexOf(other), 1)
    }
  }
  return parts.filter((part) => part.across.length >= 2 && part.down.length > 0)
}

/** Places that lie near each other, as one. */
const places = (numbers: readonly number[], tolerance = near): number[] => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted.filter((number, index) => index === 0 || number - (sorted[index - 1] ?? 0) > tolerance)
}

/** Whether a rule near `at` covers most of the way. */
const walled = (rules: readonly Rule[], at: number, from: number, to: number): boolean => {
  const covered = rules
    .filter((rule) => Math.abs(rule.at - at) <= near)
    .reduce((total, rule) => total + Math.max(0, Math.min(to, rule.to) - Math.max(from, rule.from)), 0)
  return covered > 0.5 * (to - from)
}

/** Cells with no wall between them become one; a cell always ends as a rectangle. */
const slotsOf = (xs: number[], ys: number[], { across, down }: Rules): Slot[] => {
  const taken = new Set<string>()
  const open = (row: number, column: number): boolean => !taken.has(`${row} ${column}`)
  const y = (row: number): number => ys[row] ?? 0
  const x = (column: number): number => xs[column] ?? 0
  const slots: Slot[] = []
  for (let row = 0; row < ys.length - 1; row += 1)
    for (let column = 0; column < xs.length - 1; column += 1) {
      if (!open(row, column)) continue
      let lastColumn = column
      while (
        lastColumn < xs.length - 2 &&
        open(row, lastColumn + 1) &&
        !walled(down, x(lastColumn + 1), y(row), y(row + 1))
      )
        lastColumn += 1
      const joinsBelow = (last: number): boolean => {
        for (let one = column; one <= lastColumn; one += 1)
          if (!open(last + 1, one) || walled(across, y(last + 1), x(one), x(one + 1))) return false
        for (let wall = column + 1; wall <= lastColumn; wall += 1)
          if (walled(down, x(wall), y(last + 1), y(last + 2))) return false
        return true
      }
      let lastRow = row
      while (lastRow < ys.length - 2 && joinsBelow(lastRow)) lastRow += 1
      for (let a = row; a <= lastRow; a += 1) for (let b = column; b <= lastColumn; b += 1) taken.add(`${a} ${b}`)
      slots.push({
        row,
        column,
        lastRow,
        lastColumn,
        x: x(column),
        y: y(row),
        right: x(lastColumn + 1),
        bottom: y(lastRow + 1),
      })
    }
  return slots
}

/** A hatched area has more fields than any table. */
const mostFields = 20_000

const gridOf = (rules: Rules): Grid => {
  const ends = ({ from, to }: Rule): number[] => [from, to]
  const left = Math.min(...rules.across.flatMap(ends))
  const right = Math.max(...rules.across.flatMap(ends))
  const top = Math.min(...rules.across.map(({ at }) => at), ...rules.down.flatMap(ends))
  const bottom = Math.max(...rules.across.map(({ at }) => at), ...rules.down.flatMap(ends))
  const xs = places([left, right, ...rules.down.map(({ at }) => at)])
  const ys = places([top, bottom, ...rules.across.map(({ at }) => at)])
  return {
    x: left,
    right,
    y: top,
    bottom,
    xs,
    ys,
    slots: xs.length * ys.length > mostFields ? [] : slotsOf(xs, ys, rules),
  }
}

/** Every grid that drawn lines make on a page. */
export const gridsOf = (rules: Rules): Grid[] =>
  drawings(rules)
    .map(gridOf)
    .filter(({ xs, ys }) => xs.length >= 3 && ys.length >= 3)
