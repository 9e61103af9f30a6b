import { borderlessTable, runAt } from './borderless'
import type { Piece } from './columns'
import { isSegment, regionsOf } from './columns'
import { contentsAt } from './contents'
import { withJustified } from './justified'
import { isCaption } from './marks'
import type { Block, Page, Row, Rules, Table } from './page'
import { blocksOf } from './paragraphs'
import { lineOf, rowOf, rowsOf } from './rows'
import { ruledTables } from './ruled-tables'
import { segmentOf, segmentsOf } from './segments'
import type { Hyphens } from './text'
import { asColumns } from './uneven'

type Told = { rules: Rules; keeps: Hyphens }

type Found = { pieces: (Row | Table)[]; to: number }

/** What begins at a row: a table of contents, a table without borders, texts beside each other, or a line of text. */
const foundAt = (rows: readonly Row[], at: number, { rules, keeps }: Told): Found => {
  const contents = contentsAt(rows, at)
  if (contents) return { pieces: [contents.table], to: contents.to }
  const to = runAt(rows, at)
  const run = rows.slice(at, to)
  const columns = run.length > 0 ? asColumns(run) : null
  const table = run.length > 0 && !columns ? borderlessTable(run, rules, keeps) : null
  if (columns ?? table) return { pieces: columns ?? (table ? [table] : []), to }
  return { pieces: rows.slice(at, at + 1), to: at + 1 }
}

/** Rows of a region with the tables without borders among them found. */
const tablesAmong = (rows: readonly Row[], told: Told): (Row | Table)[] => {
  const found: (Row | Table)[] = []
  for (let at = 0; at < rows.length;) {
    const { pieces, to } = foundAt(rows, at, told)
    found.push(...pieces)
    at = to
  }
  return found
}

const isRow = (piece: Row | Table): piece is Row => 'segments' in piece

const isTable = (piece: Piece): piece is Table => !isSegment(piece)

/** Each drawn table before the first piece that stands below it. */
const withTables = (pieces: readonly (Row | Table)[], tables: readonly Table[]): (Row | Table)[] =>
  [...tables]
    .sort((a, b) => b.y - a.y)
    .reduce(
      (ordered, table) => {
        const below = ordered.findIndex(({ y }) => y > table.y)
        return below < 0 ? [...ordered, table] : ordered.toSpliced(below, 0, table)
      },
      [...pieces],
    )

/** A stretch of lines and tables as blocks, in their order. */
const regionBlocks = (pieces: readonly Piece[], told: Told): Block[] => {
  const ordered = withTables(tablesAmong(rowsOf(pieces.filter(isSegment)), told), pieces.filter(isTable))
  const blocks: Block[] = []
  let open: Row[] = []
  const close = (): void => {
    if (open.length > 0) blocks.push(...blocksOf(open.map(lineOf), told.keeps))
    open = []
  }
  for (const piece of ordered) {
    if (isRow(piece)) {
      open.push(piece)
      continue
    }
    close()
    blocks.push(piece)
  }
  close()
  return blocks
}

/** A caption printed under its table stands over it, as every other does. */
const captionsOver = (blocks: readonly Block[]): Block[] => {
  const ordered = [...blocks]
  for (let at = 0; at + 1 < ordered.length; at += 1) {
    const [before, table, caption] = [ordered[at - 1], ordered[at], ordered[at + 1]]
    if (table?.kind !== 'table' || caption?.kind !== 'text' || !/^tab/i.test(caption.text) || !isCaption(caption.text))
      continue
    const captioned = before?.kind === 'text' && isCaption(before.text)
    if (!captioned && caption.y - table.bottom < 30 && ordered[at + 2]?.kind !== 'table')
      ordered.splice(at, 2, caption, table)
  }
  return ordered
}

/** A page's blocks in reading order. */
export const pageBlocks = (page: Page, keeps: Hyphens): Block[] => {
  const { tables, rest } = ruledTables(page, keeps)
  const regions = regionsOf([...withJustified(segmentsOf(rest.filter(({ turned }) => !turned))), ...tables])
  const turned = rest.filter((word) => word.turned).map((word) => blocksOf([lineOf(rowOf([segmentOf([word])]))], keeps))
  return [
    ...captionsOver(regions.flatMap((region) => regionBlocks(region, { rules: page.rules, keeps }))),
    ...turned.flat(),
  ]
}
