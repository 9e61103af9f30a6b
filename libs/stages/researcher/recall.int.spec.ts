import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lexicalEmbedder, lexicalReranker } from '@plumbline/adapters/offline'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import { chunk, headed } from '@plumbline/knowledge/chunking'
import { oneWay, type PassageIndex } from '@plumbline/ports/passage-index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexed } from '@plumbline/testing/indexed'
import { retrievalDefaults } from './retrieval-defaults'
import { retrieve } from './retrieve'

const data = join(import.meta.dirname, '../../../../shared/data/retrieval')
const never = new AbortController().signal
const lines = <Row>(set: string, file: string): Row[] =>
  readFileSync(join(data, set, file), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Row)

/** Recall at 5 of plain BM25 with tokens split at blanks, as published with the data. */
const published = { hotpotqa: 0.808, musique: 0.483 }
const lone = { ...retrievalDefaults, evidence: { perQuery: 5, atLeast: 5, fillFrom: 0 } }
const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }

if (!existsSync(data)) process.stderr.write('SKIPPED: retrieval recall needs ../shared/data/retrieval\n')
describe.skipIf(!existsSync(data))('retrieval recall', () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'plumbline-recall-'))))
  afterAll(() => rm(folder, { recursive: true }))

  const fill = async (index: PassageIndex, set: string): Promise<void> => {
    const passages = lines<{ id: string; title: string; text: string }>(set, 'corpus.jsonl').flatMap(({ id, title, text }) =>
      chunk({ id, collection: 'main', title }, { markup: 'text', parts: [{ text }] }, { by: 'headings', levels: [1], maxChars: 10_000 }),
    )
    const vectors = await lexicalEmbedder.embed(passages.map(headed), never)
    await index.write('t', indexed(set, 'main', lexicalEmbedder), passages.map((passage, at) => ({ passage, vector: vectors[at]! })), never)
  }

  it.each(['hotpotqa', 'musique'] as const)('%s: the ensemble finds more than plain BM25', { timeout: 120_000 }, async (set) => {
    const index = await openSqlitePassageIndex({ file: join(folder, `${set}.sqlite`) })
    await fill(index, set)
    const gold = Map.groupBy(lines<{ query_id: string; doc_id: string }>(set, 'qrels.jsonl'), ({ query_id }) => query_id)
    const queries = lines<{ id: string; text: string }>(set, 'queries.jsonl')
    const recall = async (find: (query: string) => Promise<{ documentId: string }[]>, at: number): Promise<number> => {
      const shares = await Promise.all(
        queries.map(async ({ id, text }) => {
          const found = new Set((await find(text)).slice(0, at).map(({ documentId }) => documentId))
          const wanted = gold.get(id) ?? []
          return wanted.filter(({ doc_id }) => found.has(doc_id)).length / wanted.length
        }),
      )
      return shares.reduce((sum, share) => sum + share, 0) / shares.length
    }
    const down = { name: 'down', rerank: () => Promise.reject(new Error('down')) }
    const ensemble = (reranker: typeof lexicalReranker) => async (query: string) =>
      (await retrieve({ index, embedder: lexicalEmbedder, reranker }, { scope, queries: [query], signal: never }, lone)).passages
    const similar = async (query: string) => {
      const [vector] = await lexicalEmbedder.embed([query], never)
      return (await index.search(scope, { text: '', vector: { space: lexicalEmbedder.name, values: vector! } }, oneWay('similarity', { k: 5 }), never)).map(({ passage }) => passage)
    }
    const ways = {
      'plain BM25': async (query: string) => (await index.search(scope, { text: query, vector: null }, oneWay('bm25', { k: 5 }), never)).map(({ passage }) => passage),
      'similarity alone': similar,
      'ensemble, reranker down': ensemble(down),
      ensemble: ensemble(lexicalReranker),
    }
    const at5 = Object.fromEntries(await Promise.all(Object.entries(ways).map(async ([way, find]) => [way, await recall(find, 5)] as const)))
    const row = Object.entries({ 'published BM25': published[set], ...at5 }).map(([way, share]) => `${way} ${share.toFixed(3)}`)
    process.stdout.write(`recall@5 ${set}: ${row.join(' | ')}\n`)
    await index.close()
    expect(at5.ensemble).toBeGreaterThan(at5['plain BM25']!)
    expect(at5.ensemble).toBeGreaterThan(published[set])
    expect(at5['ensemble, reranker down']).toBeGreaterThan(published[set])
  })
})
