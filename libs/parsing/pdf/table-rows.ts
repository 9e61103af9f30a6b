import { isNumber } from './line-text'
import { center, median, middle, type Rule, type Rules } from './page'
import type { TableSegment } from './table-columns'

/** A line of text in a table. One row of the table may have several lines. */
export type TableLine = { y: number; bottom: number; pieces: TableSegment[] }

const hasCell = ({ pieces }: TableLine, column: number): boolean => pieces.some((piece) => piece.column === column)
const spans = ({ pieces }: TableLine): boolean => pieces.some(({ column, lastColumn }) => lastColumn > column)

const steps = (lines: readonly TableLine[]): number[] => {
  const height = median(lines.flatMap(({ pieces }) => pieces.map(({ y, bottom }) => bottom - y)))
  return lines.slice(1).map((line, index) => height + Math.max(0, line.y - (lines[index]?.bottom ?? line.y)))
}

const areLabelled = (lines: readonly TableLine[], opens: readonly boolean[]): boolean => {
  const rows: TableLine[][] = []
  lines.forEach((line, index) => (opens[index] ? rows.push([line]) : rows.at(-1)?.push(line)))
  return rows.every((row) => row.filter((line) => hasCell(line, 0)).length === 1)
}

/** Finds rows by vertical gaps. Returns null unless the gaps between rows are clearly larger than those inside rows. */
const byWhite = (lines: readonly TableLine[]): boolean[] | null => {
  const heights = steps(lines)
  const least = Math.min(...heights)
  const wide = heights.map((height) => height > 1.3 * least)
  const few = wide.filter((is) => !is).length
  if (few === 0 || few === heights.length) return null
  const opens = [true, ...wide]
  const openers = lines.filter((_, index) => opens[index])
  // Ignore lines that overlap the line before, because they contain vertically centered cells.
  const others = lines.filter((line, index) => !opens[index] && line.y > (lines[index - 1]?.bottom ?? 0) - 1)
  // A line with as many cells as a full row is itself a row. Wide gaps then separate groups of rows.
  const full = Math.max(...lines.map(({ pieces }) => pieces.length))
  const isRow = ({ pieces }: TableLine): boolean =>
    pieces.length >= Math.max(3, full) || pieces.filter(({ text }) => isNumber(text)).length >= 2
  const labelled = areLabelled(lines, opens)
  if (others.some((line) => isRow(line) && !(labelled && hasCell(line, 0)))) return null
  const named = others.filter(
    (line) => hasCell(line, 0) && line.pieces.some(({ text }) => isNumber(text)) && line.pieces.length >= 2,
  )
  return openers.length >= 2 && named.length <= 0.3 * others.length ? opens : null
}

const goesOn = (line: TableLine, before: TableLine): boolean => {
  const first = line.pieces[0]
  if (!first) return true
  const wraps = line.pieces.every((piece) => hasCell(before, piece.column) && !isNumber(piece.text))
  if (first.column > 0) return wraps
  const above = before.pieces.find(({ column }) => column === 0)
  if (!above) return false
  const open = /[,(\-–/&]$/.test(above.text)
  return (/^[\p{Ll}(]/u.test(first.text) || open) && (line.pieces.length === 1 || before.pieces.length === 1)
}

const wraps = (line: TableLine, before: TableLine, widths: readonly number[]): boolean =>
  line.pieces.some((piece) => {
    const above = before.pieces.find(({ column }) => column === piece.column)
    const [word] = piece.words
    if (!above || !word || (above.words.length === 1 && piece.words.length === 1)) return false
    return above.right - above.x + word.right - word.x + 0.2 * word.size > (widths[piece.column] ?? 0)
  })

/**
 * Returns for each line whether it is surely a row: it has several cells, and none continues the cell above. A heading
 * over several columns is also a row.
 */
const areRows = (lines: readonly TableLine[]): boolean[] => {
  const widths: number[] = []
  for (const { column, lastColumn, x, right } of lines.flatMap(({ pieces }) => pieces))
    if (column === lastColumn) widths[column] = Math.max(widths[column] ?? 0, right - x)
  return lines.map((line, index) => {
    const before = lines[index - 1]
    const shared = line.pieces.filter((piece) => before && hasCell(before, piece.column))
    if (line.pieces.length === 1 && widths.length >= 3 && spans(line)) return true
    return hasCell(line, 0) && line.pieces.length >= 2 && shared.length > 0 && !wraps(line, before ?? line, widths)
  })
}

const byText = (lines: readonly TableLine[]): boolean[] =>
  lines.map((line, index) => {
    const before = lines[index - 1]
    return !before || !goesOn(line, before)
  })

const ruled = (lines: readonly TableLine[], rules: readonly Rule[]): boolean[] =>
  lines.map((line, index) => {
    const before = lines[index - 1]
    return !before || rules.some(({ at }) => at > middle(before) && at < middle(line))
  })

/** Returns true if drawn lines enclose the table and separate its full rows. Fewer lines then prove the rows. */
const isClosed = (lines: readonly TableLine[], rules: readonly Rule[], drawn: readonly boolean[]): boolean => {
  const [first, last] = [lines[0], lines.at(-1)]
  const full = Math.max(...lines.map(({ pieces }) => pieces.length))
  if (!first || !last || lines.some(({ pieces }, index) => !drawn[index] && pieces.length === full)) return false
  return rules.some(({ at }) => at < middle(first)) && rules.some(({ at }) => at > middle(last))
}

/**
 * Returns for each line whether it begins a row. Drawn lines decide if there are enough of them. If not, white space
 * decides, and without clear white space, the text.
 */
export const openersOf = (lines: readonly TableLine[], rules: readonly Rule[]): boolean[] => {
  const drawn = ruled(lines, rules)
  const parts = drawn.filter(Boolean).length
  if (
    parts >= (isClosed(lines, rules, drawn) ? 2 : 4) &&
    parts >= 0.45 * lines.length &&
    lines.every(
      ({ pieces }, index) => drawn[index] || pieces.length < 3 || median(pieces.map(({ column }) => column)) > 0,
    )
  )
    return drawn
  const told = lines.length >= 3 ? byWhite(lines) : null
  const apart = areRows(lines)
  return (told ?? byText(lines)).map((opens, index) => opens || drawn[index] === true || apart[index] === true)
}

/** Returns true for a number. A year does not count, because years are often names of columns. */
export const isFigure = (text: string): boolean =>
  /^[^\p{L}\d]*\d/u.test(text) &&
  !/\p{L}{4,}/u.test(text) &&
  !/^(?:(?:FY|Q[1-4]|H[12])?\s*'?)?(?:19|20)\d\d\*?$/.test(text)

const isBold = ({ pieces }: TableLine): boolean => pieces.length > 0 && pieces.every(({ bold }) => bold)
const hasValues = ({ pieces }: TableLine): boolean => pieces.some(({ text }) => isFigure(text))

const ruleBelow = (lines: readonly TableLine[], rules: readonly Rule[]): number => {
  const [first] = lines
  const at = Math.min(...rules.filter((rule) => first && rule.at > middle(first)).map((rule) => rule.at))
  return lines.filter((line) => middle(line) < at).length
}

/** Returns true if several drawn lines cross the table. The header then need not end at the first of these lines. */
const isRuled = (lines: readonly TableLine[], rules: readonly Rule[]): boolean => {
  const [first, last] = [lines[0], lines.at(-1)]
  return (
    first !== undefined &&
    last !== undefined &&
    rules.filter(({ at }) => at > first.bottom - 1 && at < last.y + 1).length >= 3
  )
}

const mostHeadLines = 3

const isLabel = ({ pieces }: TableLine): boolean => pieces.length === 1 && pieces[0]?.column === 0

/** Returns true if line number `count` is the bold label of a row group, and a later line is such a label too. */
const endsInGroup = (lines: readonly TableLine[], count: number): boolean => {
  const isGroup = (line: TableLine): boolean => isLabel(line) && isBold(line)
  return lines.slice(Math.max(0, count - 1), count).some(isGroup) && lines.slice(count).some(isGroup)
}

const withoutLabels = (lines: readonly TableLine[], values: number): number => {
  const above = lines.slice(0, Math.max(0, values))
  const head = above.findLastIndex((line) => !isLabel(line)) + 1
  const [first] = lines[values - 1]?.pieces ?? []
  const named = above.slice(0, -1).some((line) => hasCell(line, 0)) && /^\p{Lu}/u.test(first?.text ?? '')
  if (head < values && (values - head >= 2 || values > mostHeadLines || endsInGroup(lines, values))) return head
  return head < values && named ? values - 1 : values
}

/**
 * Returns the number of header lines. The first drawn line decides. If it does not fit, bold lines decide, and without
 * bold lines, the first numbers.
 */
export const headLinesOf = (lines: readonly TableLine[], rules: readonly Rule[]): number => {
  const most = Math.min(5, Math.floor(lines.length / 2))
  const drawn = ruleBelow(lines, rules)
  const bold = lines.findIndex((line) => !isBold(line))
  const other = bold >= 1 && bold <= most && bold !== drawn && isRuled(lines, rules)
  if (!other && drawn >= 1 && drawn <= Math.max(1, most) && drawn < lines.length) return drawn
  if (bold >= 1 && bold <= most) return bold >= 2 && endsInGroup(lines, bold) ? bold - 1 : bold
  const values = withoutLabels(lines, lines.findIndex(hasValues))
  const below = lines.slice(values)
  const dense = values > 0 && below.filter(hasValues).length >= 0.6 * below.length
  if (dense && values <= Math.min(mostHeadLines, most)) return values
  const spanning = lines.findIndex((line) => !spans(line))
  return Math.max(1, Math.min(spanning + 1, most))
}

type Reach = { column: number; lastColumn: number }

type Below = { centers: readonly number[]; named: boolean[]; rules: Rules }

const columnsBetween = (centers: readonly number[], left: number, right: number): Reach | null => {
  const column = centers.findIndex((at) => at > left && at < right)
  return column < 0 ? null : { column, lastColumn: centers.findLastIndex((at) => at > left && at < right) }
}

const underlined = (piece: TableSegment, line: TableLine, { centers, rules }: Below): Reach | null => {
  const rule = rules.across.find(
    ({ at, from, to }) =>
      at > middle(piece) && at < piece.bottom + 6 && from <= piece.x + 2 && to >= piece.right - 2 && to > from + 1,
  )
  if (!rule || line.pieces.some((other) => other !== piece && other.x < rule.to && other.right > rule.from)) return null
  return columnsBetween(centers, rule.from, rule.to)
}

const walled = (piece: TableSegment, { centers, rules }: Below): Reach | null => {
  const walls = rules.down.filter(({ from, to }) => from < middle(piece) && to > middle(piece)).map(({ at }) => at)
  const inner = walls.filter((at) => at > (centers[0] ?? 0) && at < (centers.at(-1) ?? 0))
  if (inner.length < 2) return null
  const left = Math.max(...walls.filter((at) => at <= piece.x + 2), -Infinity)
  const right = Math.min(...walls.filter((at) => at >= piece.right - 2), Infinity)
  return columnsBetween(centers, left, right)
}

const reaches = (piece: TableSegment, { centers, named }: Below): Reach[] => {
  const all: (Reach & { off: number })[] = []
  for (let column = piece.column; column >= 1 && (column === piece.column || named[column]); column -= 1)
    for (let last = piece.lastColumn; last < centers.length && (last === piece.lastColumn || named[last]); last += 1) {
      const off = Math.abs(((centers[column] ?? 0) + (centers[last] ?? 0)) / 2 - center(piece))
      all.push({ column, lastColumn: last, off })
    }
  const least = Math.min(...all.map(({ off }) => off))
  return all
    .filter(({ off }) => off <= Math.max(least, piece.size) && off < least + 0.75 * piece.size)
    .sort((a, b) => a.lastColumn - a.column - b.lastColumn + b.column || a.off - b.off)
}

const sharing = (choices: readonly Reach[][], named: readonly boolean[], from = 1): Reach[] | null => {
  const [first, ...others] = choices
  const next = named.findIndex((is, column) => is && column >= from)
  if (!first) return next < 0 ? [] : null
  for (const reach of first) {
    if (reach.column < from || (next >= 0 && next < reach.column)) continue
    const rest = sharing(others, named, reach.lastColumn + 1)
    if (rest) return [reach, ...rest]
  }
  return null
}

/** Spreads header cells evenly over columns. Returns null unless the same column names repeat below each of them. */
const repeated = (heads: readonly TableSegment[], under: readonly TableSegment[], width: number): Reach[] | null => {
  const share = (width - 1) / heads.length
  const names = Array.from({ length: width }, (_, at) => under.findLast(({ column }) => column === at)?.text)
  const same = heads.every((_, at) =>
    Array.from({ length: share }, (__, by) => names[1 + at * share + by]).every(
      (name, by) => name !== undefined && name === names[1 + by],
    ),
  )
  const all = heads.map((_, at) => ({ column: 1 + at * share, lastColumn: (at + 1) * share }))
  const inside = heads.every(
    ({ column, lastColumn }, at) => column >= (all[at]?.column ?? 0) && lastColumn <= (all[at]?.lastColumn ?? 0),
  )
  return heads.length >= 2 && share >= 2 && Number.isInteger(share) && same && inside ? all : null
}

/** Extends header cells over the columns that they cover, except in the last line, which names single columns. */
export const spreadHead = (lines: readonly TableLine[], centers: readonly number[], rules: Rules): TableLine[] =>
  lines.map((line, index) => {
    const under = lines.slice(index + 1).flatMap(({ pieces }) => pieces)
    if (under.length === 0) return line
    const named = centers.map((_, column) => under.some((one) => one.column <= column && one.lastColumn >= column))
    const below = { centers, named, rules }
    const heads = line.pieces.filter(({ column }) => column > 0)
    const choices = heads.map((piece) => {
      const drawn = walled(piece, below) ?? underlined(piece, line, below)
      return drawn ? [drawn] : reaches(piece, below)
    })
    const shared = repeated(heads, under, centers.length) ?? sharing(choices, named)
    let taken = 0
    const pieces = line.pieces.map((piece) => {
      const at = heads.indexOf(piece)
      const reach = at < 0 ? piece : (shared?.[at] ?? choices[at]?.find(({ column }) => column >= taken) ?? piece)
      taken = reach.lastColumn + 1
      return { ...piece, column: reach.column, lastColumn: reach.lastColumn }
    })
    return { ...line, pieces }
  })
