/** The rows of a Markdown table. The header comes first. */
export type Table = string[][]

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'", apos: "'" }

/** Removes markup, because the expected and the parsed text use different markup. */
export const plain = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\\([^\w\s])/g, '$1')
    .replace(/[*_`~]+/g, '')
    .replace(/(?:\s*\.){4,}/g, ' ')
    .normalize('NFKC')

/** Ignores spaces, bullets and case, because they differ between tools without changing the meaning. */
const cellOf = (markdown: string): string =>
  plain(markdown)
    .replace(/(?:^|\s)[-•–]\s/g, ' ')
    .replace(/\s+/g, '')
    .toLowerCase()

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cellOf(cell.replaceAll('\\|', '|')))

const isRow = (line: string): boolean => /^\s*\|/.test(line)
const isRule = (line: string): boolean => isRow(line) && /^[\s|:-]+$/.test(line) && line.includes('-')

export const tablesOf = (markdown: string): Table[] => {
  const tables: Table[] = []
  const lines = markdown.split('\n')
  for (let at = 1; at < lines.length; at++) {
    if (!isRule(lines[at] ?? '') || !isRow(lines[at - 1] ?? '')) continue
    const end = lines.findIndex((line, n) => n > at && !isRow(line))
    const body = lines.slice(at + 1, end === -1 ? undefined : end)
    tables.push([lines[at - 1] ?? '', ...body].map(cellsOf))
  }
  return tables
}

/** Joins the header rows of an expected table, because Plumbline's readers write only one header row. */
export const withHeaderOf = (table: Table, rows: number): Table => {
  const width = Math.max(...table.map((row) => row.length))
  const header = Array.from({ length: width }, (_, column) =>
    [...new Set(table.slice(0, rows).map((row) => row[column] ?? ''))].join(''),
  )
  return [header, ...table.slice(rows)]
}

const counted = (items: string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}
/** Returns how many items both lists contain. A repeated item counts as often as both lists contain it. */
export const shared = (some: string[], others: string[]): number => {
  const counts = counted(others)
  return [...counted(some)].reduce((sum, [item, count]) => sum + Math.min(count, counts.get(item) ?? 0), 0)
}

const cells = (table: Table): string[] => table.flat().filter((cell) => cell !== '')
/** Combines each value with its row and column, because a value is only right in its own cell. */
const placed = ([header = [], ...rows]: Table): string[] =>
  rows
    .flatMap((row) =>
      row.map((cell, column) => (cell === '' || column === 0 ? '' : `${row[0]}\n${header[column]}\n${cell}`)),
    )
    .filter((value) => value !== '')

export type Counts = { right: number; expected: number; found: number }
export const f1 = ({ right, expected, found }: Counts): number =>
  expected + found === 0 ? 1 : (2 * right) / (expected + found)
const plus = (a: Counts, b: Counts): Counts => ({
  right: a.right + b.right,
  expected: a.expected + b.expected,
  found: a.found + b.found,
})
const countsOf = (expected: string[], found: string[]): Counts => ({
  right: shared(expected, found),
  expected: expected.length,
  found: found.length,
})
const none: Counts = { right: 0, expected: 0, found: 0 }

type Pair = { cells: Counts; placed: Counts }
const compared = (expected: Table, found: Table): Pair =>
  [1, 2, 3]
    .filter((rows) => rows < Math.max(2, expected.length))
    .map((rows) => withHeaderOf(expected, rows))
    .map((table): Pair => ({
      cells: countsOf(cells(table), cells(found)),
      placed: countsOf(placed(table), placed(found)),
    }))
    .reduce((best, next) => (f1(next.cells) > f1(best.cells) ? next : best))

/** Cells of unmatched expected tables count as missed, and those of unmatched parsed tables as false. */
export const compareTables = (expected: Table[], found: Table[]): Pair & { matched: number } => {
  const pairs = expected.flatMap((one, e) => found.map((other, f) => ({ e, f, pair: compared(one, other) })))
  const [taken, given] = [new Set<number>(), new Set<number>()]
  let sum: Pair = { cells: none, placed: none }
  const add = (pair: Pair): void =>
    void (sum = { cells: plus(sum.cells, pair.cells), placed: plus(sum.placed, pair.placed) })
  for (const { e, f, pair } of pairs.toSorted((a, b) => f1(b.pair.cells) - f1(a.pair.cells))) {
    if (taken.has(e) || given.has(f) || pair.cells.right === 0) continue
    taken.add(e)
    given.add(f)
    add(pair)
  }
  const matched = taken.size
  for (const [e, table] of expected.entries())
    if (!taken.has(e)) add({ cells: countsOf(cells(table), []), placed: countsOf(placed(table), []) })
  for (const [f, table] of found.entries())
    if (!given.has(f)) add({ cells: countsOf([], cells(table)), placed: countsOf([], placed(table)) })
  return { ...sum, matched }
}

export const wordsOf = (markdown: string): string[] =>
  plain(markdown)
    .split('\n')
    .filter((line) => !isRule(line))
    .join('\n')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
