import { borderlessTable, runAt } from './borderless-tables'
import { isSegment, regionsOf, type PageElement } from './columns'
import type { Hyphens } from './line-text'
import { laidOut, lineOf, rowOf, rowsOf, segmentOf, withJustified } from './lines'
import { around, type Block, type LaidPage, type Row, type Rules, type Table } from './page'
import { blocksOf } from './paragraphs'
import { asColumns } from './table-columns'
import { findTables } from './find-tables'

const pageNumber = /^(?:\.\s*)*(\d{1,4}|[ivxlc]{1,7})$/i
const leader = /(?:\s?[.·…_]){3,}\s*$/

type Entry = { title: string; page: string; right: number | null }

const entryOf = ({ segments, right }: Row): Entry | null => {
  const last = segments.at(-1)?.text ?? ''
  const title = segments
    .slice(0, -1)
    .map(({ text }) => text)
    .join(' ')
  const [, page] = pageNumber.exec(last) ?? []
  if (page !== undefined && segments.length >= 2 && segments.length <= 4 && /\p{L}{2}/u.test(title))
    return { title: title.replace(leader, ''), page, right }
  const text = segments.map((segment) => segment.text).join(' ')
  // Test for a dotted leader first, because most lines have none and the pattern below is slow.
  if (!/(?:[.·…_]\s?){4}/.test(text)) return null
  const [, led, number] = /^(.*?\p{L}.*?)(?:\s?[.·…_]){4,}\s*(\d{1,4}|[ivxlc]{1,7})$/iu.exec(text) ?? []
  return led !== undefined && number !== undefined ? { title: led.trim(), page: number, right: null } : null
}

const rises = (entries: readonly Entry[]): boolean => {
  const numbers = entries.map(({ page }) => Number(page)).filter((page) => !Number.isNaN(page))
  return numbers.length >= 3 && numbers.every((page, index) => page >= (numbers[index - 1] ?? 0))
}

const contentsAt = (rows: readonly Row[], from: number): { table: Table; to: number } | null => {
  const entries: Entry[] = []
  for (const row of rows.slice(from)) {
    const entry = entryOf(row)
    const previous = entries.at(-1)
    if (!entry || (previous && Math.abs((previous.right ?? 0) - (entry.right ?? 0)) > 6)) break
    entries.push(entry)
  }
  if (entries.length < 5 || !rises(entries)) return null
  const taken = rows.slice(from, from + entries.length)
  const box = around(taken)
  const edges = [box.x, Math.min(...taken.map(({ segments }) => segments.at(-1)?.x ?? box.right)), box.right]
  return {
    to: from + entries.length,
    table: { ...box, kind: 'table', headerRows: 1, edges, rows: entries.map(({ title, page }) => [title, page]) },
  }
}

type LayoutContext = { rules: Rules; keeps: Hyphens }

type FoundElements = { pieces: (Row | Table)[]; to: number }

const foundAt = (rows: readonly Row[], at: number, { rules, keeps }: LayoutContext): FoundElements => {
  const contents = contentsAt(rows, at)
  if (contents) return { pieces: [contents.table], to: contents.to }
  const to = runAt(rows, at)
  const run = rows.slice(at, to)
  const columns = run.length > 0 ? asColumns(run) : null
  const table = run.length > 0 && !columns ? borderlessTable(run, rules, keeps) : null
  if (columns ?? table) return { pieces: columns ?? (table ? [table] : []), to }
  return { pieces: rows.slice(at, at + 1), to: at + 1 }
}

const tablesAmong = (rows: readonly Row[], told: LayoutContext): (Row | Table)[] => {
  const found: (Row | Table)[] = []
  for (let at = 0; at < rows.length;) {
    const { pieces, to } = foundAt(rows, at, told)
    found.push(...pieces)
    at = to
  }
  return found
}

const isRow = (piece: Row | Table): piece is Row => 'segments' in piece

const isTable = (piece: PageElement): piece is Table => !isSegment(piece)

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

const regionBlocks = (pieces: readonly PageElement[], told: LayoutContext): Block[] => {
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

export const pageBlocks = (page: LaidPage, keeps: Hyphens): Block[] => {
  const { tables, rest } = findTables(page, keeps)
  const { segments } = tables.length === 0 ? page : laidOut({ ...page, words: rest })
  const regions = regionsOf([...withJustified(segments), ...tables])
  const turned = rest.filter((word) => word.turned).map((word) => blocksOf([lineOf(rowOf([segmentOf([word])]))], keeps))
  return [...regions.flatMap((region) => regionBlocks(region, { rules: page.rules, keeps })), ...turned.flat()]
}
