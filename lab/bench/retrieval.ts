import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import { cosine } from '@plumbline/knowledge/mmr'
import { withHeading } from '@plumbline/knowledge/chunking/chunk'
import {
  onlyMethod,
  type PassageIndex,
  type Query,
  type SearchMethods,
} from '@plumbline/ports/passage-index/passage-index'
import { defaultsWith } from '@plumbline/stages/researcher/retrieval-defaults'
import { corpusOf, documentsOf, hasCorpus, questions } from './retrieval-corpus'
import { fill, space, tenant, type Filled } from './retrieval-ingest'
import { atLeast, atMost, printTable, type Line } from './table'

const sizes = { short: { passages: 10_000, rounds: 1 }, full: { passages: 100_000, rounds: 3 } }
const never = new AbortController().signal
const scope = { tenant, collections: ['bench'], filters: {}, access: 'all' as const }
/** The lexical embedder replaces a real model, because only the speed of the searches is measured. */
const { similarity, mmr, bm25, constant, candidates } = defaultsWith({ name: 'a model' }).search
const hybrid: SearchMethods = { similarity, mmr, bm25, constant, limit: candidates }
/** MMR selects from this many nearest neighbors, so all of them must be found. */
const nearest = mmr.fetch

type Measured = { p50: number; p95: number; cpu: number; load: number }

const queriesOf = async (): Promise<Query[]> => {
  const asked = questions(200)
  const vectors = await lexicalEmbedder.embed(asked, never)
  return asked.flatMap((text, at) => vectors.slice(at, at + 1).map((values) => ({ text, vector: { space, values } })))
}

const share = (times: number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN

const measure = async (
  index: PassageIndex,
  queries: readonly Query[],
  ways: SearchMethods,
  rounds: number,
): Promise<Measured> => {
  const times: number[] = []
  const before = process.cpuUsage()
  for (const query of Array.from({ length: rounds }, () => queries).flat()) {
    const began = performance.now()
    await index.search(scope, query, ways, never)
    times.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(before)
  return {
    p50: share(times, 0.5),
    p95: share(times, 0.95),
    cpu: (user + system) / 1_000 / times.length,
    load: loadavg()[0] ?? Number.NaN,
  }
}

/** Compares every vector to find the true neighbors. Neighbors at the same distance are interchangeable. */
const recall = async (index: PassageIndex, queries: readonly Query[], size: number): Promise<number> => {
  const vectors = await lexicalEmbedder.embed(corpusOf(size).map(withHeading), never)
  let [found, wanted] = [0, 0]
  for (const query of queries) {
    const { values } = query.vector ?? { values: new Float32Array() }
    const least = vectors.map((vector) => cosine(vector, values)).sort((a, b) => b - a)[nearest - 1] ?? 0
    const hits = await index.search(scope, query, onlyMethod('similarity', { k: nearest }), never)
    found += hits.filter(({ scores }) => (scores.similarity ?? 0) >= least - 1e-5).length
    wanted += nearest
  }
  return found / wanted
}

const besideIngest = async (
  file: string,
  size: number,
  work: () => Promise<Measured>,
): Promise<{ measured: Measured; ingest: Filled; seconds: number }> => {
  const child = fork(process.argv[1] ?? '', ['retrieval-ingest', file, `${size}`])
  await once(child, 'message')
  const began = performance.now()
  const measured = await work()
  const seconds = (performance.now() - began) / 1_000
  const last = once(child, 'message')
  child.send('stop')
  const [ingest] = (await last) as [Filled]
  return { measured, ingest, seconds }
}

const linesOf = (what: string, { p50, p95, cpu, load }: Measured, bounded: boolean): Line[] => [
  { what: `${what}: p50`, figure: p50, unit: ' ms', ...(bounded && atMost(60)) },
  { what: `${what}: p95`, figure: p95, unit: ' ms', ...(bounded && atMost(150)) },
  { what: `${what}: CPU of a search`, figure: cpu, unit: ' ms' },
  { what: `${what}: load of the machine`, figure: load, unit: '' },
]

const measureAll = async (
  file: string,
  { passages, rounds }: (typeof sizes)['full'],
  bounded: boolean,
): Promise<Line[]> => {
  console.log(`Embedding and writing ${passages} passages …`)
  const writer = await openSqlitePassageIndex({ file })
  const filled = await fill(writer, documentsOf(corpusOf(passages)))
  await writer.close()
  const index = await openSqlitePassageIndex({ file })
  const queries = await queriesOf()
  const first = await measure(index, queries.slice(0, 1), hybrid, 1)
  console.log('Searching …')
  const parts = {
    similarity: onlyMethod('similarity', { k: nearest }),
    mmr: onlyMethod('mmr', mmr),
    bm25: onlyMethod('bm25', { k: bm25.k }),
  }
  const lines: Line[] = []
  for (const [way, ways] of Object.entries(parts))
    lines.push(...linesOf(`Only ${way}`, await measure(index, queries, ways, 1), false).slice(0, 3))
  const found = await recall(index, queries.slice(0, 50), passages)
  const bytes = statSync(file).size
  const idle = await measure(index, queries, hybrid, rounds)
  console.log('Searching beside an ingest …')
  const { measured, ingest, seconds } = await besideIngest(file, passages, () =>
    measure(index, queries, hybrid, rounds),
  )
  await index.close()
  return [
    { what: 'Write of a passage', figure: filled.writeMs / filled.passages, unit: ' ms' },
    { what: 'CPU of embedding and writing a passage', figure: filled.cpuMs / filled.passages, unit: ' ms' },
    { what: 'Size of a passage in the file', figure: bytes / filled.passages, unit: ' B' },
    { what: 'First search after a start', figure: first.p50, unit: ' ms' },
    ...lines,
    { what: `Recall of the ${nearest} nearest`, figure: found, unit: '', ...atLeast(0.99) },
    ...linesOf('Hybrid, idle', idle, bounded),
    ...linesOf('Hybrid, beside an ingest', measured, bounded),
    { what: 'Ingest meanwhile', figure: ingest.passages / seconds, unit: ' passages/s' },
  ]
}

/** The time limits are absolute, because there is no other program to compare with. */
export const benchRetrieval = async (form: 'short' | 'full'): Promise<void> => {
  if (!hasCorpus())
    return console.log('No data to test with here, so retrieval cannot be measured: set EVAL_DATA to its folder.')
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-retrieval-'))
  try {
    const lines = await measureAll(join(folder, 'index.sqlite'), sizes[form], form === 'full')
    const broken = printTable(lines)
    mkdirSync('.data', { recursive: true })
    writeFileSync('.data/bench-retrieval.json', JSON.stringify({ form, ...sizes[form], lines }, null, 2))
    console.log(
      `\n${broken === 0 ? 'Every bound holds' : `${broken} bounds do not hold`} (${form} form, ${sizes[form].passages} passages). Figures: .data/bench-retrieval.json`,
    )
    if (broken > 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
