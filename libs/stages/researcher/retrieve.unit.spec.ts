import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { Evidence, Passage, RetrievalSettings } from '@plumbline/contracts'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { Reranker } from '@plumbline/ports/search-models'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { candidatesFor } from './candidates'
import { unite } from './evidence'
import { defaultsWith, retrievalDefaults } from './retrieval-defaults'
import { retrieve } from './retrieve'

const never = new AbortController().signal
const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }

const indexOf = async (texts: Record<string, string>): Promise<PassageIndex> => {
  const index = memoryPassageIndex()
  for (const [id, text] of Object.entries(texts)) {
    const [vector] = await lexicalEmbedder.embed([text], never)
    const passage = { id, documentId: id, collection: 'main', title: id, text, headingPath: [], position: 0 }
    await index.write('t', indexed(id, 'main', lexicalEmbedder), [{ passage, vector: vector! }], never)
  }
  return index
}
const stones = {
  amber: 'amber floats on salt water and burns',
  basalt: 'basalt cools from lava and is dark',
  chalk: 'chalk is soft and white and writes on slate',
  slate: 'slate splits into thin plates for roofs',
  granite: 'granite is hard and holds quartz and mica',
  marble: 'marble is baked limestone and takes a polish',
}
const ids = (passages: Evidence[]): string[] => passages.map(({ id }) => id)

/** Opens a reranker that returns the given ids of a query in order and records the queries. */
const fixedReranker = (order: Record<string, string[]>): Reranker & { asked: string[] } => {
  const asked: string[] = []
  return {
    name: 'fixed',
    asked,
    rerank: (query, documents, topN) => {
      asked.push(query)
      const wanted = order[query] ?? []
      const found = wanted.flatMap((id, at) =>
        documents.flatMap((document, index) => (document.startsWith(`${id}\n`) ? [{ index, score: 1 - at / 10 }] : [])),
      )
      return Promise.resolve(found.slice(0, topN))
    },
  }
}

describe('retrieve', () => {
  it('returns 4 passages for three queries with 2 each, two of them repeated', async () => {
    const words = 'amber basalt chalk slate granite marble'
    const queries = [`${words} one`, `${words} two`, `${words} three`]
    const reranker = fixedReranker({
      [queries[0]!]: ['amber', 'basalt'],
      [queries[1]!]: ['basalt', 'chalk'],
      [queries[2]!]: ['chalk', 'slate'],
    })
    const { passages } = await retrieve(
      { index: await indexOf(stones), embedder: lexicalEmbedder, reranker },
      { scope, queries, signal: never },
    )
    expect(ids(passages).sort()).toEqual(['amber', 'basalt', 'chalk', 'slate'])
    expect(reranker.asked).toEqual(queries)
  })

  it('fills up to the least number with the next best where queries agree, and no further', async () => {
    const queries = ['amber basalt chalk slate', 'amber basalt chalk slate granite']
    const reranker = fixedReranker({
      [queries[0]!]: ['amber', 'basalt', 'chalk', 'slate'],
      [queries[1]!]: ['amber', 'basalt', 'granite', 'slate'],
    })
    const { passages } = await retrieve(
      { index: await indexOf(stones), embedder: lexicalEmbedder, reranker },
      { scope, queries, signal: never },
    )
    expect(ids(passages).sort()).toEqual(['amber', 'basalt', 'chalk', 'granite'])
  })

  it("keeps every score and the query with a passage's highest rank", async () => {
    const queries = ['what splits into plates', 'roofs of slate']
    const reranker = fixedReranker({ [queries[0]!]: ['chalk', 'slate'], [queries[1]!]: ['slate'] })
    const { passages } = await retrieve(
      { index: await indexOf(stones), embedder: lexicalEmbedder, reranker },
      { scope, queries, signal: never },
      defaultsWith({ name: 'a model' }),
    )
    expect(passages.map(({ id, query }) => [id, query])).toEqual([
      ['chalk', 'what splits into plates'],
      ['slate', 'roofs of slate'],
    ])
    const scores = passages.map((passage) => Object.keys(passage.scores).sort())
    expect(scores[1]).toEqual(['bm25', 'fused', 'mmr', 'rerank', 'similarity'])
  })

  it('gives the same twice', async () => {
    const ports = { index: await indexOf(stones), embedder: lexicalEmbedder, reranker: null }
    const ask = { scope, queries: ['hard dark stone', 'white and soft'], signal: never }
    const once = await retrieve(ports, ask)
    expect(ids(once.passages)).toEqual(['basalt', 'chalk', 'granite'])
    expect(await retrieve(ports, ask)).toEqual(once)
  })

  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['ranks nothing', () => Promise.resolve([])],
    ['hangs without listening', () => new Promise<never>(() => {})],
  ])('uses the fused order when the reranker %s', async (_, rerank) => {
    const settings = { ...retrievalDefaults, rerank: { ...retrievalDefaults.rerank, timeoutMs: 20 } }
    const found = await retrieve(
      { index: await indexOf(stones), embedder: lexicalEmbedder, reranker: { name: 'down', rerank } },
      { scope, queries: ['slate roofs'], signal: never },
      settings,
    )
    expect(found.degraded).toEqual(['reranker'])
    expect(found.passages[0]).toMatchObject({ id: 'slate' })
    expect(found.passages[0]!.scores.rerank).toBeUndefined()
  })

  it('keeps what words put first, though a reranker ranks it nowhere, and once', async () => {
    const reranker = fixedReranker({ 'slate roofs': ['amber', 'basalt', 'granite', 'marble'] })
    const index = await indexOf({ ...stones, tiles: 'tiles for roofs' })
    const { passages } = await retrieve(
      { index, embedder: lexicalEmbedder, reranker },
      { scope, queries: ['slate roofs'], signal: never, collections: { main: { similarity: { k: 9, weight: 1 } } } },
    )
    expect(ids(passages)).toEqual(['amber', 'basalt', 'granite', 'marble', 'slate', 'tiles'])
    const agreeing = fixedReranker({ 'slate roofs': ['slate', 'tiles'] })
    const agreed = await retrieve(
      { index, embedder: lexicalEmbedder, reranker: agreeing },
      { scope, queries: ['slate roofs'], signal: never },
    )
    expect(ids(agreed.passages)).toEqual(['slate', 'tiles'])
  })

  it('brings nothing back that is not wanted again because words put it first', async () => {
    const { passages } = await retrieve(
      { index: await indexOf(stones), embedder: lexicalEmbedder, reranker: null },
      { scope, queries: ['slate roofs'], without: ['slate'], signal: never },
    )
    expect(ids(passages)).toEqual(['chalk'])
  })

  it('uses words alone when the embedder fails', async () => {
    const embedder = { ...lexicalEmbedder, embed: () => Promise.reject(new Error('down')) }
    const found = await retrieve(
      { index: await indexOf(stones), embedder, reranker: null },
      { scope, queries: ['slate roofs'], signal: never },
    )
    expect(found.degraded).toEqual(['embedder'])
    expect(ids(found.passages)[0]).toBe('slate')
  })

  it('does not hide a failure of the index, nor an abort', async () => {
    const index = { ...memoryPassageIndex(), search: () => Promise.reject(new Error('index down')) }
    const ports = { index, embedder: lexicalEmbedder, reranker: null }
    await expect(retrieve(ports, { scope, queries: ['slate'], signal: never })).rejects.toThrow('index down')
    const stopped = AbortSignal.abort(new Error('stop'))
    await expect(
      retrieve({ ...ports, index: await indexOf(stones) }, { scope, queries: ['slate'], signal: stopped }),
    ).rejects.toThrow('stop')
  })

  it('starts every way of searching of every query before the first one answers', async () => {
    const started: string[] = []
    let open = (): void => {}
    const gate = new Promise<never[]>((resolve) => (open = () => resolve([])))
    const way = (name: string) => () => {
      started.push(name)
      return gate
    }
    const index = { ...memoryPassageIndex(), search: way('search') }
    const asked = retrieve(
      { index, embedder: lexicalEmbedder, reranker: null },
      { scope, queries: ['one', 'two', 'three'], signal: never },
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(started.sort()).toEqual(['search', 'search', 'search'])
    open()
    expect(await asked).toEqual({ passages: [], degraded: [] })
  })
})

describe('unite', () => {
  const evidence = (id: string, rerank: number): Evidence => ({
    id,
    documentId: id,
    collection: 'main',
    title: id,
    text: id,
    headingPath: [],
    position: 0,
    scores: { rerank },
  })
  it('keeps the strongest sight of each passage, best first', () =>
    expect(
      unite(
        [
          [evidence('a', 0.5), evidence('b', 0.4)],
          [evidence('a', 0.9), evidence('c', 0.1)],
        ],
        { perQuery: 2, atLeast: 1, fillFrom: 0 },
      ).map(({ id, scores }) => [id, scores.rerank]),
    ).toEqual([
      ['a', 0.9],
      ['b', 0.4],
      ['c', 0.1],
    ]))
  it('does not fill up with what is far below the best', () =>
    expect(
      unite([[evidence('a', 1), evidence('b', 0.01), evidence('c', 0.5), evidence('d', 0.1)]], {
        perQuery: 2,
        atLeast: 4,
        fillFrom: 0.25,
      }).map(({ id }) => id),
    ).toEqual(['a', 'c', 'b']))
  it('has nothing of nothing', () => expect(unite([[], []], { perQuery: 2, atLeast: 4, fillFrom: 0 })).toEqual([]))
})

const write = async (index: PassageIndex, id: string, text: string, collection = 'main'): Promise<void> => {
  const passage: Passage = { id, documentId: id, collection, title: id, text, headingPath: [], position: 0 }
  await index.write(
    't',
    indexed(id, collection, lexicalEmbedder),
    [{ passage, vector: new Float32Array(lexicalEmbedder.dimensions) }],
    never,
  )
}
const look = async (index: PassageIndex, text: string, settings: Record<string, RetrievalSettings> = { main: {} }) => {
  const collections = new Map(Object.entries(settings))
  const scope = { tenant: 't', collections: [...collections.keys()], filters: {}, access: 'all' as const }
  const found = await candidatesFor(
    { index, scope, collections, settings: retrievalDefaults, without: new Set(), signal: never },
    { text, vector: null },
  )
  return { ids: found.map(({ passage }) => passage.id), scores: found.map(({ scores }) => scores.fused ?? 0) }
}

describe('candidates', () => {
  it('of collections with different settings are in the order of their ranks', async () => {
    const index = memoryPassageIndex()
    for (const text of ['slate', 'slate and amber']) await write(index, text, text)
    for (const text of ['slates', 'slate or marble']) await write(index, text, text, 'other')
    const { ids, scores } = await look(index, 'slate', {
      main: {},
      other: { bm25: { weight: 100 } },
    })
    expect(ids).toEqual(['slate', 'slates', 'slate and amber', 'slate or marble'])
    expect(scores).toEqual([1 / 11, 1 / 11, 1 / 12, 1 / 12])
  })
})
