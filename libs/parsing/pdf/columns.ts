import { isCaption, isValue } from './line-text'
import { linesOf } from './lines'
import { median, type Segment, type Table } from './page'

export type PageElement = Segment | Table
export const isSegment = (piece: PageElement): piece is Segment => 'words' in piece

const byTop = (a: PageElement, b: PageElement): number => a.y - b.y || a.x - b.x
const wordsIn = ({ text }: Segment): number => text.split(' ').length

/** Returns true for running text, in which most lines are long and have several words. */
const isProse = (side: readonly PageElement[]): boolean => {
  const lines = side.filter(isSegment)
  if (lines.length < 3) return side.length > lines.length
  const widths = lines.map(({ x, right }) => right - x).sort((a, b) => a - b)
  const width = widths[Math.floor(widths.length * 0.8)] ?? 0
  const long = lines.filter((line) => line.right - line.x > 0.5 * width && wordsIn(line) >= 3)
  return long.length >= 0.5 * lines.length && median(lines.map(wordsIn)) >= 4
}

/** `pieces` are ordered from top to bottom. */
type Layout = { pieces: PageElement[]; rows: Segment[][] }
type Band = { across: boolean; pieces: PageElement[] }

const crosses = (piece: PageElement, x: number): boolean => piece.x < x && piece.right > x

/**
 * Returns true for a row of short cells: at least three cells, or fewer with a number at the end. The caller requires
 * two such rows in succession.
 */
const isCellRow = (row: readonly Segment[], x: number): boolean =>
  row.some(({ right }) => right <= x) &&
  row.some((segment) => segment.x >= x) &&
  (row.length >= 3 || isValue(row.at(-1)?.text ?? '')) &&
  row.every((segment) => wordsIn(segment) <= 3)

/** Returns true if both sides begin with a caption at the same height. The sides then have separate content. */
const captionsBeside = (left: readonly PageElement[], right: readonly PageElement[]): boolean => {
  const [first, second] = [[...left].sort(byTop)[0], [...right].sort(byTop)[0]]
  return (
    !!first &&
    !!second &&
    isSegment(first) &&
    isSegment(second) &&
    isCaption(first.text) &&
    isCaption(second.text) &&
    Math.abs(first.y - second.y) < 4
  )
}

const acrossAt = ({ pieces, rows }: Layout, x: number): Set<PageElement> => {
  const captions = rows.some((row) => row.length === 2 && captionsBeside(row.slice(0, 1), row.slice(1)))
  const cells = rows.map((row) => !captions && isCellRow(row, x))
  const across = new Set(pieces.filter((piece) => crosses(piece, x)))
  rows.forEach((row, index) => {
    const turn = cells[index] === true && (cells[index - 1] === true || cells[index + 1] === true)
    if (turn || row.some((segment) => across.has(segment))) for (const segment of row) across.add(segment)
  })
  return across
}

const sides = (pieces: readonly PageElement[], x: number): [PageElement[], PageElement[]] => [
  pieces.filter(({ right }) => right <= x),
  pieces.filter((piece) => piece.right > x),
]

const reach = (pieces: readonly PageElement[]): number =>
  Math.max(...pieces.map(({ right }) => right)) - Math.min(...pieces.map(({ x }) => x))

const rowsTogether = (left: readonly PageElement[], right: readonly PageElement[]): boolean => {
  const begins = (side: readonly PageElement[]): number[] => {
    const lines = side.filter(isSegment).sort(byTop)
    const pitch = median(lines.slice(1).map((line, index) => line.y - (lines[index]?.y ?? 0)))
    return lines
      .slice(1)
      .filter((line, index) => line.y - (lines[index]?.y ?? 0) > 1.25 * pitch)
      .map(({ y }) => y)
  }
  const [ours, theirs] = [begins(left), begins(right)]
  const met = ours.filter((y) => theirs.some((other) => Math.abs(other - y) < 3)).length
  return met >= 3 && met >= 0.7 * Math.max(ours.length, theirs.length)
}

const isColumns = ({ across, pieces }: Band, x: number): boolean => {
  if (across) return false
  const [left, right] = sides(pieces, x)
  if (left.length === 0 || right.length === 0) return false
  if (captionsBeside(left, right)) return true
  return isProse(left) && isProse(right) && reach(left) > 60 && reach(right) > 60 && !rowsTogether(left, right)
}

/** Separates a heading or table above the columns and a heading below them, because these belong to no column. */
const withoutEnds = (band: Band, x: number): Band[] => {
  const [left, right] = sides(band.pieces, x)
  if (band.across || left.length === 0 || right.length === 0) return [band]
  const last = left.at(-1)
  const size = median(band.pieces.filter(isSegment).map((segment) => segment.size))
  const isTail = last && isSegment(last) && last.size > 1.12 * size && right.every(({ bottom }) => bottom < last.y)
  const tail: PageElement[] = isTail ? [last] : []
  const top = Math.min(...right.map(({ y }) => y))
  const leads = [[], left.filter(({ bottom }) => bottom < top)]
  const split = leads.map((lead) =>
    [lead, band.pieces.filter((piece) => !lead.includes(piece) && !tail.includes(piece)), tail].map((pieces): Band => ({
      across: band.across,
      pieces,
    })),
  )
  return split.find(([, columns]) => columns && isColumns(columns, x)) ?? [band]
}

const bandsAt = (layout: Layout, x: number): Band[] => {
  const reaching = acrossAt(layout, x)
  const bands: Band[] = []
  for (const piece of layout.pieces) {
    const across = reaching.has(piece)
    const band = bands.at(-1)
    if (band?.across === across) band.pieces.push(piece)
    else bands.push({ across, pieces: [piece] })
  }
  return bands.flatMap((band) => withoutEnds(band, x))
}

/** Returns where a column may begin: at a left edge that several lines share, or at the left edge of a caption. */
const candidates = (pieces: readonly PageElement[]): number[] => {
  const edges = new Map<number, number>()
  const left = Math.min(...pieces.map(({ x }) => x))
  for (const { x } of pieces) if (x > left + 50) edges.set(Math.round(x), (edges.get(Math.round(x)) ?? 0) + 1)
  const captions = pieces
    .filter((piece) => isSegment(piece) && piece.x > left + 50 && isCaption(piece.text))
    .map(({ x }) => x)
  return [...[...edges].filter(([, count]) => count >= 3).map(([x]) => x), ...captions].map((x) => x - 3)
}

const gain = (layout: Layout, x: number): number =>
  bandsAt(layout, x).reduce((total, band) => total + (isColumns(band, x) ? band.pieces.length : 0), 0)

const regionsAt = (layout: Layout, x: number): PageElement[][] => {
  const regions: PageElement[][] = []
  let open: PageElement[] = []
  for (const band of bandsAt(layout, x)) {
    if (!isColumns(band, x)) {
      open.push(...band.pieces)
      continue
    }
    regions.push(open, ...sides(band.pieces, x))
    open = []
  }
  return [...regions, open].filter((region) => region.length > 0)
}

export const regionsOf = (pieces: readonly PageElement[]): PageElement[][] => {
  const layout = { pieces: [...pieces].sort(byTop), rows: linesOf(pieces.filter(isSegment)) }
  const [best] = candidates(pieces)
    .map((x) => ({ x, gain: gain(layout, x) }))
    .sort((a, b) => b.gain - a.gain || a.x - b.x)
  if (!best || best.gain === 0) return [[...pieces]]
  return regionsAt(layout, best.x).flatMap((region) => (region.length < pieces.length ? regionsOf(region) : [region]))
}
