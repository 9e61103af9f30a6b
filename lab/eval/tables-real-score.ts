import { plainCell, type Cells } from './tables-real-cells'

/**
 * `spans`: row, column, height and width of each merged cell. `partial`: the table is a part of a longer one. `parts`:
 * the number of pages over which the table extends.
 */
export type Expected = {
  rows: Cells
  spans?: [number, number, number, number][]
  partial?: boolean
  parts?: number
  table: number
}
export type Counts = { right: number; expected: number; found: number }
export type Score = Counts & { f1: number; header: boolean }

export const f1 = ({ right, expected, found }: Counts): number => (right === 0 ? 0 : (2 * right) / (expected + found))

type Pair = [number, number]

/** Returns the pairs with the highest total gain. The order of both sequences is kept. */
const aligned = (n: number, m: number, gain: (i: number, j: number) => number): Pair[] => {
  const best = Array.from({ length: n + 1 }, () => new Float64Array(m + 1))
  const at = (i: number, j: number): number => best[i]?.[j] ?? 0
  for (let i = 1; i <= n; i += 1)
    for (let j = 1; j <= m; j += 1)
      best[i]?.fill(Math.max(at(i - 1, j), at(i, j - 1), at(i - 1, j - 1) + gain(i - 1, j - 1)), j, j + 1)
  const pairs: Pair[] = []
  for (let [i, j] = [n, m]; i > 0 && j > 0;) {
    if (at(i, j) === at(i - 1, j)) i -= 1
    else if (at(i, j) === at(i, j - 1)) j -= 1
    else pairs.unshift([(i -= 1), (j -= 1)])
  }
  return pairs
}

const bagOf = (cells: readonly string[]): Map<string, number> => {
  const bag = new Map<string, number>()
  for (const cell of cells) if (cell !== '') bag.set(cell, (bag.get(cell) ?? 0) + 1)
  return bag
}
const common = (a: Map<string, number>, b: Map<string, number>): number =>
  [...a].reduce((count, [cell, times]) => count + Math.min(times, b.get(cell) ?? 0), 0)

/** `area`: the cell to which each position belongs. A merged cell is counted once. */
type Wanted = { rows: Cells; area: Pair[][]; knows: boolean; partial: boolean; expected: number }

const areaOf = (rows: Cells, spans: Expected['spans'] = []): Pair[][] => {
  const area = rows.map((row, i) => row.map((_, j): Pair => [i, j]))
  for (const [row, column, down, across] of spans)
    for (let i = row; i < row + down; i += 1)
      for (let j = column; j < column + across; j += 1)
        if (rows[i]?.[j] === '' || (i === row && j === column)) area[i]?.fill([row, column], j, j + 1)
  return area
}

/** Joins the first rows to one header row, because Markdown allows only one. */
const joined = (
  rows: Cells,
  spans: NonNullable<Expected['spans']>,
  count: number,
): Pick<Expected, 'rows' | 'spans'> => {
  const area = areaOf(rows, spans)
  const header = (rows[0] ?? []).map((_, column) => {
    const cells = new Map(area.slice(0, count).map((row) => [row[column]?.join(), row[column]]))
    return [...cells.values()].map((cell) => (cell ? (rows[cell[0]]?.[cell[1]] ?? '') : '')).join('')
  })
  const moved = spans.flatMap(([row, column, down, across]): NonNullable<Expected['spans']> =>
    row >= count ? [[row - count + 1, column, down, across]] : [],
  )
  return { rows: [header, ...rows.slice(count)], spans: moved }
}

const wantedOf = ({ rows: given, spans = [], partial = false }: Expected, knows: boolean): Wanted[] => {
  const rows = given.map((row) => row.map(plainCell))
  return Array.from({ length: Math.max(1, Math.min(5, rows.length - 1)) }, (_, at) => {
    const one = at === 0 ? { rows, spans } : joined(rows, spans, at + 1)
    const expected = one.rows.flat().filter((cell) => cell !== '').length
    return { rows: one.rows, area: areaOf(one.rows, one.spans), knows, partial, expected }
  })
}

const textAt = ({ rows, area }: Wanted, i: number, j: number): string => {
  const [row, column] = area[i]?.[j] ?? [i, j]
  return rows[row]?.[column] ?? ''
}

const alignedTables = (want: Wanted, got: Cells): { down: Pair[]; across: Pair[] } => {
  const [wide, gotWide] = [want.rows[0]?.length ?? 0, got[0]?.length ?? 0]
  const equal = (i: number, a: number, j: number, b: number): number =>
    Number(textAt(want, i, a) !== '' && textAt(want, i, a) === got[j]?.[b])
  const bags = want.rows.map((row, i) => bagOf(row.map((_, j) => textAt(want, i, j))))
  const gotBags = got.map(bagOf)
  const none = new Map<string, number>()
  let down = aligned(bags.length, got.length, (i, j) => common(bags[i] ?? none, gotBags[j] ?? none))
  let across: Pair[] = []
  for (let round = 0; round < 3; round += 1) {
    const rows = down
    across = aligned(wide, gotWide, (a, b) => rows.reduce((count, [i, j]) => count + equal(i, a, j, b), 0))
    const columns = across
    down = aligned(bags.length, got.length, (i, j) => columns.reduce((count, [a, b]) => count + equal(i, a, j, b), 0))
  }
  return { down, across }
}

/** Counts repeated cells outside the expected table. They are no errors, because its merged cells are unknown. */
const repeatedIn = (want: Wanted, got: Cells, down: readonly Pair[], across: readonly Pair[]): number => {
  const rowOf = new Map(down.map(([i, j]) => [j, i]))
  const columnOf = new Map(across.map(([a, b]) => [b, a]))
  return got.flatMap((row, j) =>
    row.filter((cell, b) => {
      const repeats = cell !== '' && (cell === row[b - 1] || cell === got[j - 1]?.[b])
      return repeats && !want.rows[rowOf.get(j) ?? -1]?.[columnOf.get(b) ?? -1]
    }),
  ).length
}

const countsOf = (want: Wanted, got: Cells): Counts => {
  const { down, across } = alignedTables(want, got)
  const met = new Set<string>()
  let free = 0
  for (const [i, j] of down)
    for (const [a, b] of across) {
      const text = textAt(want, i, a)
      if (text === '' || text !== got[j]?.[b]) continue
      const cell = want.area[i]?.[a]?.join() ?? ''
      if (met.has(cell)) free += 1
      met.add(cell)
    }
  if (!want.knows) free += repeatedIn(want, got, down, across)
  const [first, last] = [down[0]?.[1] ?? 0, down.at(-1)?.[1] ?? got.length]
  if (want.partial && down.length > 0)
    free += got.filter((_, j) => j < first || j > last).flatMap((row) => row.filter((cell) => cell !== '')).length
  const filled = got.flat().filter((cell) => cell !== '').length
  return { right: met.size, expected: want.expected, found: Math.max(met.size, filled - free) }
}

const filledOf = (row: readonly string[] = []): string => row.filter((cell) => cell !== '').join('\u0001')

const compared = (wanted: readonly Wanted[], got: Cells): Score => {
  const cells = got.flat().filter((cell) => cell !== '')
  const all = bagOf(cells)
  const header = wanted.some(({ rows }) => filledOf(rows[0]) === filledOf(got[0]))
  let top: Score = { right: 0, expected: wanted[0]?.expected ?? 0, found: cells.length, f1: 0, header }
  for (const want of wanted) {
    // Skip tables that cannot beat the best score. An alignment matches at most the cells that both tables contain.
    const shared = common(bagOf(want.rows.flat()), all)
    if (shared === 0 || (2 * shared) / (want.expected + shared) <= top.f1) continue
    const counts = countsOf(want, got)
    if (f1(counts) > top.f1) top = { ...counts, f1: f1(counts), header }
  }
  return top
}

type Candidate = { rows: Cells; uses: number[] }

/** Joins consecutive tables too, because a table may continue on the next page. */
const candidatesOf = (found: readonly Cells[], parts = 1): Candidate[] =>
  Array.from({ length: parts }, (_, more) =>
    found.slice(more).map((__, at): Candidate => {
      const rows = found.slice(at, at + more + 1).flat()
      const width = Math.max(...rows.map((row) => row.length))
      return {
        rows: rows.map((row) => Array.from({ length: width }, (___, column) => row[column] ?? '')),
        uses: Array.from({ length: more + 1 }, (___, by) => at + by),
      }
    }),
  ).flat()

/** The best pairs are matched first. `extra`: the number of found tables without a match. */
export const scoredFile = (
  expected: readonly Expected[],
  found: readonly Cells[],
  knows: boolean,
): { scores: Score[]; extra: number } => {
  const pairs = expected.flatMap((table) => {
    const wanted = wantedOf(table, knows)
    const none: Score = { right: 0, expected: wanted[0]?.expected ?? 0, found: 0, f1: 0, header: false }
    const met = candidatesOf(found, table.parts).map(({ rows, uses }) => ({
      table,
      uses,
      score: compared(wanted, rows),
    }))
    return [...met.filter(({ score }) => score.f1 > 0), { table, uses: [], score: none }]
  })
  const ordered = pairs.sort((a, b) => b.score.f1 - a.score.f1 || a.uses.length - b.uses.length)
  const [taken, done] = [new Set<number>(), new Map<Expected, Score>()]
  for (const { table, uses, score } of ordered) {
    if (done.has(table) || uses.some((at) => taken.has(at))) continue
    done.set(table, score)
    for (const at of uses) taken.add(at)
  }
  return { scores: [...done.values()], extra: found.length - taken.size }
}
