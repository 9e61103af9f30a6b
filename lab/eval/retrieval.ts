import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasData, root } from './data'
import { baseline, others, ours, type Arm } from './retrieval-arms/arms'
import { beside, findAll, judgedAt, recallAt, standsBeside, type QueryResult } from './retrieval-arms/measure'
import { fill, sets, type RetrievalSet } from './retrieval-arms/sets'

export { hasData, root }
type Interval = [low: number, high: number]
export type Row = {
  set: string
  arm: string
  queries: number
  recall: Record<string, number>
  /** The confidence interval of the difference to BM25 alone, by the number of passages. */
  interval: Record<string, Interval>
  /** Whether retrieval is not worse than BM25 alone. Null for settings other than the default, which are not judged. */
  holds: boolean | null
  msPerRow: number
}

const depths = [2, ...judgedAt, 10]
const rounded = (value: number): number => Number(value.toFixed(3))

const rowOf = (set: string, { name }: Arm, found: QueryResult[], words: QueryResult[]): Row => ({
  set,
  arm: name,
  queries: found.length,
  recall: Object.fromEntries(depths.map((k) => [k, rounded(recallAt(found, k))])),
  interval: Object.fromEntries(
    judgedAt.map((k) => {
      const [low, high] = beside(found, words, k)
      return [k, [rounded(low), rounded(high)]]
    }),
  ),
  holds: name === ours.name ? standsBeside(found, words) : null,
  msPerRow: rounded(found.reduce((sum, { ms }) => sum + ms, 0) / found.length),
})

export const holds = (row: Pick<Row, 'holds'>): boolean => row.holds !== false

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(3)}`
const moved = (row: Row, before: Row[]): string => {
  const old = before.find(({ set, arm }) => set === row.set && arm === row.arm)?.recall[5]
  const by = old === undefined ? undefined : (row.recall[5] ?? 0) - old
  return by === undefined ? 'new' : Math.abs(by) < 0.0005 ? '=' : signed(by)
}
const cells = (all: string[]): string =>
  all.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(at < 6 ? 10 : 18))).join('')

const lineOf = (row: Row, before: Row[]): string =>
  cells([
    row.arm,
    ...depths.map((k) => row.recall[k]?.toFixed(3) ?? ''),
    moved(row, before),
    ...judgedAt.map((k) => (row.arm === baseline.name ? '' : (row.interval[k] ?? []).map(signed).join(' … '))),
    row.holds === null ? '' : row.holds ? 'yes' : 'NO',
    row.msPerRow.toFixed(1),
  ])

const measured = async (
  set: RetrievalSet,
  folder: string,
  before: Row[],
  tell: (line: string) => void,
): Promise<Row[]> => {
  const queries = set.queries()
  const passages = await set.passages()
  const index = await fill(join(folder, `${set.name}.sqlite`), passages)
  tell(`\n${set.name}: ${queries.length} questions over ${passages.length} passages`)
  const words = await findAll(index, queries, baseline)
  const rows: Row[] = []
  for (const arm of [baseline, ours, ...others]) {
    const found = arm === baseline ? words : await findAll(index, queries, arm)
    const row = rowOf(set.name, arm, found, words)
    rows.push(row)
    tell(lineOf(row, before))
  }
  await index.close()
  return rows
}

export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-eval-'))
  const columns = [...depths.map((k) => `recall@${k}`), 'before', ...judgedAt.map((k) => `95 % at ${k}`)]
  tell(cells(['retrieval, offline', ...columns, 'not worse', 'ms/query']))
  try {
    const rows: Row[] = []
    for (const set of sets) rows.push(...(await measured(set, folder, before, tell)))
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
