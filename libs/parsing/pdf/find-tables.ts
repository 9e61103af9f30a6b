import { borderlessTable, isTabular } from './borderless-tables'
import { isCaption, type Hyphens } from './line-text'
import { rowsOf, segmentsOf } from './lines'
import { around, center, holds, middle, type Box, type Page, type Row, type Rule, type Table, type Word } from './page'
import { gridsOf, ruledTable, type Grid } from './ruled-tables'

/** Matches several numbers. Digits in groups of three, as in `1 204`, are one number. */
const several = /^[^\p{L}]*\d[^\p{L}\s]*(?:\s+(?!\d{3}(?!\d))[^\p{L}\s]*\d[^\p{L}\s]*)+[^\p{L}\d]*$/u

/** Returns the share of cells with at most one value per line. If the share is high, the columns are probably right. */
const clean = ({ rows, headerRows }: Table): number => {
  const cells = rows.slice(headerRows).flatMap((row) => row.filter((cell) => cell !== ''))
  return (
    cells.filter((cell) => !cell.split('<br>').some((part) => several.test(part))).length / Math.max(1, cells.length)
  )
}

const rowsIn = (box: Box, walls: readonly Rule[], words: readonly Word[]): Row[] => {
  const own = words.filter((word) => !word.turned && holds(box, word))
  const fields = Map.groupBy(own, (word) => walls.filter(({ at }) => at < center(word)).length)
  return rowsOf([...fields.values()].flatMap((field) => segmentsOf(field)))
}

/** Returns the table in a drawn grid. If cells contain several rows or columns, gaps between words may fit better. */
const gridTable = (grid: Grid, { words, rules }: Page, keeps: Hyphens): Table | null => {
  const drawn = ruledTable(grid, words, keeps)
  if (!drawn) return null
  const [sure, high] = [drawn.piled ? 0 : clean(drawn.table), grid.bottom - grid.y]
  if (sure > 0.9) return drawn.table
  const walls = rules.down.filter(
    ({ at, from, to }) => at > grid.x + 4 && at < grid.right - 4 && to - from > 0.6 * high,
  )
  const rows = rowsIn(grid, walls, words)
  const white =
    rows.length > 0
      ? borderlessTable(
          rows,
          rules,
          keeps,
          walls.map(({ at }) => at),
        )
      : null
  return white && clean(white) > sure ? white : drawn.table
}

const alike = (a: Rule, b: Rule): boolean => {
  const off = 0.03 * (a.to - a.from)
  return Math.abs(a.from - b.from) < off && Math.abs(a.to - b.to) < off
}

const areTabular = (rows: readonly Row[]): boolean =>
  rows.length <= 1 || rows.filter(isTabular).length >= 0.5 * rows.length

const isClear = (rows: readonly Row[], level: readonly Row[]): boolean =>
  level.filter((row) => !rows.some((one) => Math.abs(one.x - row.x) < 1 && Math.abs(one.right - row.right) < 1))
    .length <=
  0.2 * rows.length

const bandsOf = ({ words, rules, width }: Page): Row[][] => {
  const wide = rules.across.filter(({ from, to }) => to - from > 0.2 * width).sort((a, b) => a.at - b.at)
  const bands: { last: Rule; rows: Row[] }[] = []
  const open: { last: Rule; rows: Row[] }[] = []
  for (const rule of wide) {
    const at = open.findIndex(({ last }) => alike(last, rule))
    const band = open[at]
    if (!band) {
      open.push({ last: rule, rows: [] })
      continue
    }
    const [y, bottom] = [band.last.at, rule.at]
    const between = words.filter((word) => middle(word) > y && middle(word) < bottom)
    const rows = rowsIn({ x: rule.from - 4, right: rule.to + 4, y, bottom }, [], between)
    const level = (): Row[] => rowsIn({ x: 0, right: width, y, bottom }, [], between)
    if (areTabular(rows) && isClear(rows, level())) Object.assign(band, { last: rule, rows: [...band.rows, ...rows] })
    else {
      bands.push(...open.splice(at, 1))
      open.push({ last: rule, rows: [] })
    }
  }
  return [...bands, ...open].map(({ rows }) => rows).filter((rows) => rows.length >= 3)
}

/** Adds the header rows above a table. They are close to the row below and have several cells or a short name. */
const withHead = (rows: readonly Row[], above: readonly Row[]): Row[] => {
  const box = around(rows)
  const whole = [...rows]
  for (const row of above.toReversed()) {
    const [segment] = row.segments
    const [next] = whole
    if (!segment || !next || next.y - row.bottom > 1.2 * (row.bottom - row.y) || isCaption(segment.text)) break
    const over = row.x > box.x + 20 && row.right < box.right + 5 && segment.text.split(' ').length <= 6
    if (!isTabular(row) && !(over && whole.length > rows.length)) break
    whole.unshift(row)
  }
  return whole
}

const area = ({ x, y, right, bottom }: Box): number => (right - x) * (bottom - y)

export const findTables = (page: Page, keeps: Hyphens): { tables: Table[]; rest: Word[] } => {
  const grids = gridsOf(page.rules).flatMap((grid) => gridTable(grid, page, keeps) ?? [])
  const bands = bandsOf(page).filter((rows) => !grids.some((grid) => rows.some((row) => holds(grid, row))))
  const white = bands.flatMap((rows) => {
    const { x, y, right } = around(rows)
    const whole = withHead(rows, rowsIn({ x: x - 4, right: right + 4, y: 0, bottom: y }, [], page.words))
    return borderlessTable(whole, page.rules, keeps) ?? []
  })
  const tables = [...grids, ...white]
  const outer = tables.filter(
    (table) => !tables.some((other) => other !== table && holds(other, table) && area(other) > area(table)),
  )
  return { tables: outer, rest: page.words.filter((word) => !outer.some((table) => holds(table, word))) }
}
