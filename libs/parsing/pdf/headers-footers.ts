import { rowsOf } from './lines'
import { holds, type LaidPage, type Page, type Row } from './page'
import { gridsOf } from './ruled-tables'

/** Headers and footers are in the top or bottom part of the page. Each part has this share of the page height. */
const margin = 0.14

/** A row at the edge of a page. `numbered`: begins or ends with a number. `apart`: is also separated by white space. */
type Edge = { page: number; row: Row; key: string; numbered: boolean; apart: boolean }

const textOf = ({ segments }: Row): string => segments.map(({ text }) => text).join(' ')
const isNumber = (text: string): boolean =>
  /^(?:page\s+)?[-–—|]?\s*(?:\d{1,4}|[ivxlc]{1,6})\s*[-–—|]?(?:\s*(?:of|\/)\s*\d{1,4})?$/i.test(text.trim())

const inLine = (row: Row, next?: Row): boolean => {
  if (!next || row.segments.length < 2) return false
  const met = row.segments.filter((one) =>
    next.segments.some((other) => Math.abs(one.x - other.x) < 3 || Math.abs(one.right - other.right) < 3),
  )
  return next.segments.length >= 2 && met.length >= 2 && Math.abs(next.y - row.y) < 3.5 * (row.bottom - row.y)
}

/** Returns the rows at the edge of a page, or none if no white space separates these rows from the text. */
const outer = (rows: readonly Row[], page: Page, side: 'top' | 'bottom'): Row[] => {
  const ordered = side === 'top' ? rows : [...rows].reverse()
  const white = (row: Row, next?: Row): number =>
    next ? Math.max(next.y - row.bottom, row.y - next.bottom) / (row.bottom - row.y) : Infinity
  const inside = ordered
    .filter(({ y, bottom }) => (side === 'top' ? bottom < margin * page.height : y > (1 - margin) * page.height))
    .slice(0, 4)
  const last = inside.findLastIndex((row, index) => white(row, ordered[index + 1]) > 0.6)
  return inside
    .slice(0, last + 1)
    .filter((row, index) => !inLine(row, ordered[index + 1]) && !inLine(row, ordered[index - 1]))
}

const edgesOf = (page: LaidPage): Edge[] => {
  const rows = rowsOf(page.segments)
  const outermost = [...outer(rows, page, 'top'), ...outer(rows, page, 'bottom')]
  const grids = outermost.length > 0 ? gridsOf(page.rules) : []
  const free = outermost.filter((row) => !grids.some((grid) => holds(grid, row)))
  return free.map((row) => {
    const ends = [row.segments[0]?.text ?? '', row.segments.at(-1)?.text ?? '']
    const numbered = ends.some(isNumber)
    const gap = Math.min(
      ...rows.filter((other) => other !== row).map((other) => Math.max(other.y - row.bottom, row.y - other.bottom)),
    )
    const apart = numbered && row.segments.length >= 2 && gap > 0.9 * (row.bottom - row.y)
    return { page: page.number, row, key: textOf(row).replace(/\d+|\b[ivxlc]+\b/gi, '#'), numbered, apart }
  })
}

/** Returns true for a header or footer. `all` must not contain rows of tables, because they would look like headers. */
const isHeaderFooter = (edge: Edge, all: readonly Edge[], pages: number): boolean => {
  const level = all.filter(({ page, row }) => page !== edge.page && Math.abs(row.y - edge.row.y) < 5)
  const same = level.filter(({ key }) => key === edge.key).length + 1
  if (edge.key.replace(/[#\s\W]/g, '') !== '' && same >= Math.max(2, Math.min(4, 0.25 * pages))) return true
  if (isNumber(textOf(edge.row))) return pages === 1 ? false : level.some(({ numbered }) => numbered)
  if (edge.apart && pages <= 2) return true
  return edge.numbered && level.filter(({ numbered }) => numbered).length >= Math.max(1, 0.2 * pages)
}

/** Removes headers and footers. A page without other text keeps them, except a scan, whose real text is an image. */
export const withoutHeadersFooters = (pages: readonly LaidPage[]): LaidPage[] => {
  const edges = pages.flatMap(edgesOf)
  const dropped = edges.filter((edge) => isHeaderFooter(edge, edges, pages.length))
  return pages.map((page) => {
    const gone = new Set(dropped.filter((edge) => edge.page === page.number).flatMap(({ row }) => row.segments))
    if (gone.size === 0) return page
    const words = new Set([...gone].flatMap((segment) => segment.words))
    const rest = page.words.filter((word) => !words.has(word))
    if (rest.length === 0 && !page.pictured) return page
    return { ...page, words: rest, segments: page.segments.filter((segment) => !gone.has(segment)) }
  })
}
