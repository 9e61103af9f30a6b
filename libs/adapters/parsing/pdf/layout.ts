import { borderlessTable, runsOf } from './borderless'
import type { Piece } from './columns'
import { isSegment, regionsOf } from './columns'
import { contentsAt } from './contents'
import type { Block, Page, Row, Rules, Table } from './page'
import { blocksOf, isCaption } from './paragraphs'
import { lineOf, rowOf, rowsOf } from './rows'
import { ruledTables } from './ruled-tables'
import { segmentOf, segmentsOf } from './segments'
import type { Hyphens } from './text'

type Told = { rules: Rules; keeps: Hyphens; code: boolean }

/** Rows of a region with the tables without borders among them found. */
const tablesAmong = (rows: readonly Row[], { rules, keeps }: Told): (Row | Table)[] => {
  const found: (Row | Table)[] = []
  for (let at = 0; at < rows.length; at += 1) {
    const contents = contentsAt(rows, at)
    const run = contents ? null : runsOf(rows.slice(at)).find(({ from }) => from === 0)
    const table = contents?.table ?? (run ? borderlessTable(rows.slice(at, at + run.to), rules, keeps) : null)
    const row = rows[at]
    if (!table && row) found.push(row)
    if (!table) continue
    found.push(table)
    at = (contents ? contents.to : at + (run?.to ?? 1)) - 1
  }
  return found
}

const isRow = (piece: Row | Table): piece is Row => 'segments' in piece

const isTable = (piece: Piece): piece is Table => !isSegment(piece)

/** A stretch of lines and tables as blocks, in their order. */
const regionBlocks = (pieces: readonly Piece[], told: Told): Block[] => {
  const rows = tablesAmong(rowsOf(pieces.filter(isSegment)), told)
  const ordered = [...rows, ...pieces.filter(isTable)].sort((a, b) => a.y - b.y)
  const blocks: Block[] = []
  let open: Row[] = []
  const close = (): void => {
    if (open.length > 0) blocks.push(...blocksOf(open.map(lineOf), told.keeps, told.code))
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
    if (table?.kind !== 'table' || caption?.kind !== 'text' || !/^tab/i.test(caption.text) || !isCaption(caption.text)) continue
    const captioned = before?.kind === 'text' && isCaption(before.text)
    if (!captioned && caption.y - table.bottom < 30 && ordered[at + 2]?.kind !== 'table') ordered.splice(at, 2, caption, table)
  }
  return ordered
}

/** A page's blocks in reading order. */
export const pageBlocks = (page: Page, keeps: Hyphens, code: boolean): Block[] => {
  const { tables, rest } = ruledTables(page, keeps)
  const regions = regionsOf([...segmentsOf(rest.filter(({ turned }) => !turned)), ...tables])
  const turned = rest.filter((word) => word.turned).map((word) => blocksOf([lineOf(rowOf([segmentOf([word])]))], keeps, false))
  return [...captionsOver(regions.flatMap((region) => regionBlocks(region, { rules: page.rules, keeps, code }))), ...turned.flat()]
}
