import type { Row, Table } from './page'
import { around } from './page'

const pageNumber = /^(?:\.\s*)*(\d{1,4}|[ivxlc]{1,7})$/i
const leader = /(?:\s?[.·…_]){3,}\s*$/

type Entry = { title: string; page: string; right: number | null }

/** A line of a table of contents: a title, and far off at the right the number of a page. */
const entryOf = ({ segments, right }: Row): Entry | null => {
  const last = segments.at(-1)?.text ?? ''
  const title = segments
    .slice(0, -1)
    .map(({ text }) => text)
    .join(' ')
  const [, page] = pageNumber.exec(last) ?? []
  if (page !== undefined && segments.length >= 2 && segments.length <= 4 && /\p{L}{2}/u.test(title))
    return { title: title.replace(leader, ''), page, right }
  const [, led, number] =
    /^(.*?\p{L}.*?)(?:\s?[.·…_]){4,}\s*(\d{1,4}|[ivxlc]{1,7})$/iu.exec(segments.map(({ text }) => text).join(' ')) ?? []
  return led !== undefined && number !== undefined ? { title: led.trim(), page: number, right: null } : null
}

const rises = (entries: readonly Entry[]): boolean => {
  const numbers = entries.map(({ page }) => Number(page)).filter((page) => !Number.isNaN(page))
  return numbers.length >= 3 && numbers.every((page, index) => page >= (numbers[index - 1] ?? 0))
}

/** From `from` on, the rows of a table of contents, if one begins there. */
export const contentsAt = (rows: readonly Row[], from: number): { table: Table; to: number } | null => {
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
