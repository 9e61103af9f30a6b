import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasData, root } from './data'
import { ablations, whole, type Arm } from './retrieval-arms/arms'
import { find, firstRank, ndcg, recallAt, type Found } from './retrieval-arms/measure'
import { fill, sets, type Query, type RetrievalSet } from './retrieval-arms/sets'

export { hasData, root }
export type Row = {
  set: string
  arm: string
  queries: number
  at2: number
  at5: number
  at10: number
  ndcg: number
  mrr: number
  tuned: number
  heldOut: number
  floor: number | null
  msPerRow: number
}

const rounded = (value: number): number => Number(value.toFixed(3))
const three = (value: number | undefined): string => value?.toFixed(3) ?? ''

const rowOf = ({ name, floor }: RetrievalSet, arm: string, queries: Query[], found: Found[]): Row => ({
  set: name,
  arm,
  queries: queries.length,
  at2: rounded(recallAt(found, 2)),
  at5: rounded(recallAt(found, 5)),
  at10: rounded(recallAt(found, 10)),
  ndcg: rounded(ndcg(found, queries)),
  mrr: rounded(firstRank(found)),
  tuned: rounded(
    recallAt(
      found.filter(({ heldOut }) => !heldOut),
      5,
    ),
  ),
  heldOut: rounded(
    recallAt(
      found.filter(({ heldOut }) => heldOut),
      5,
    ),
  ),
  floor: arm === whole.name ? floor : null,
  msPerRow: rounded(found.reduce((sum, { ms }) => sum + ms, 0) / found.length),
})

export const holds = ({ at5, floor }: Pick<Row, 'at5' | 'floor'>): boolean => floor === null || at5 >= floor

const moved = (row: Row, before: Row[]): string => {
  const old = before.find(({ set, arm }) => set === row.set && arm === row.arm)
  const by = old ? row.at5 - old.at5 : 0
  return old === undefined ? 'new' : Math.abs(by) < 0.0005 ? '=' : `${by > 0 ? '+' : ''}${by.toFixed(3)}`
}
const cells = (all: string[]): string =>
  all.map((cell, at) => (at === 0 ? cell.padEnd(26) : cell.padStart(10))).join('')

const publishedOf = ({ published }: RetrievalSet): string =>
  published.length === 0 ? '' : `; published BM25 ${published.map(([at, value]) => `${at} ${three(value)}`).join(', ')}`

const measured = async (
  set: RetrievalSet,
  folder: string,
  before: Row[],
  tell: (line: string) => void,
): Promise<Row[]> => {
  const queries = set.queries()
  const passages = set.passages()
  const index = await fill(join(folder, `${set.name}.sqlite`), passages)
  const rows: Row[] = []
  tell(`\n${set.name}: ${queries.length} questions over ${passages.length} passages${publishedOf(set)}`)
  for (const arm of [whole, ...ablations] satisfies Arm[]) {
    const found: Found[] = []
    for (const query of queries) found.push(await find(index, query, arm))
    const row = rowOf(set, arm.name, queries, found)
    rows.push(row)
    const verdict = row.floor === null ? ['', ''] : [row.floor.toFixed(2), holds(row) ? 'yes' : 'NO']
    tell(
      cells([
        arm.name,
        ...[row.at2, row.at5, row.at10, row.ndcg, row.mrr].map(three),
        moved(row, before),
        three(row.tuned),
        three(row.heldOut),
        ...verdict,
        row.msPerRow.toFixed(1),
      ]),
    )
  }
  await index.close()
  return rows
}

/** Every set with all of retrieval, and with each part of it taken away. */
export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-eval-'))
  tell(
    cells([
      'retrieval, offline',
      'recall@2',
      'recall@5',
      'recall@10',
      'ndcg@10',
      'mrr',
      'before',
      'tuned@5',
      'held out',
      'floor',
      'holds',
      'ms/query',
    ]),
  )
  try {
    const rows: Row[] = []
    for (const set of sets) rows.push(...(await measured(set, folder, before, tell)))
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
