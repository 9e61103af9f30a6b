import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { type Passage, RetrievalSettings } from '@plumbline/contracts'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import type { Reranker } from '@plumbline/ports/search-models'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { withIntroductions, withNeighbours } from './evidence'
import { defaultsWith, type RetrievalDefaults, retrievalDefaults, settingsFor } from './retrieval-defaults'
import { retrieve } from './retrieve'

const never = new AbortController().signal
const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }
const ports = { embedder: lexicalEmbedder, reranker: null }
const wanting = (evidence: Partial<RetrievalDefaults['evidence']>): RetrievalDefaults => ({
  ...retrievalDefaults,
  evidence: { ...retrievalDefaults.evidence, ...evidence },
})

type PassageInput = Partial<Passage> & { id: string; text: string }
const write = async (
  index: PassageIndex,
  documentId: string,
  passages: PassageInput[],
  collection = 'main',
): Promise<void> => {
  const whole = passages.map((passage, position): Passage => ({
    documentId,
    collection,
    title: documentId,
    headingPath: [],
    position,
    ...passage,
  }))
  const vectors = await lexicalEmbedder.embed(
    whole.map(({ text }) => text),
    never,
  )
  await index.write(
    't',
    indexed(documentId, collection, lexicalEmbedder),
    whole.map((passage, at) => ({ passage, vector: vectors[at]! })),
    never,
  )
}
const find = async (
  index: PassageIndex,
  query: string,
  more: Partial<Parameters<typeof retrieve>[1]> = {},
  settings = retrievalDefaults,
) => retrieve({ ...ports, index }, { scope, queries: [query], signal: never, ...more }, settings)
const ids = ({ passages }: { passages: Passage[] }): string[] => passages.map(({ id }) => id)

describe('retrieval settings of a collection', () => {
  it('replace the defaults, each number separately', () => {
    const own = settingsFor(retrievalDefaults, {
      mmr: { lambda: 0.2 },
      neighbours: 2,
      reranker: 'none',
      candidates: 5,
    })
    expect(own.search).toEqual({
      ...retrievalDefaults.search,
      mmr: { ...retrievalDefaults.search.mmr, lambda: 0.2 },
      candidates: 5,
    })
    expect(settingsFor(retrievalDefaults, { bm25: { k: 0 } }).search).toMatchObject({
      similarity: { k: 20 },
      mmr: { k: 10 },
      bm25: { k: 0 },
    })
    expect([own.neighbours.each, own.rerank.by]).toEqual([2, 'none'])
    expect(settingsFor(retrievalDefaults, undefined)).toBe(retrievalDefaults)
    expect(defaultsWith({ name: 'a model' }).search).toMatchObject({
      similarity: { k: 20, weight: 0.4 },
      mmr: { k: 10, weight: 0.2, fetch: 40, lambda: 0.7 },
      bm25: { k: 20, weight: 0.4 },
    })
    expect(defaultsWith(lexicalEmbedder)).toBe(retrievalDefaults)
  })

  it('holds for that collection beside others that say otherwise', async () => {
    const index = memoryPassageIndex()
    await write(index, 'a', [{ id: 'a', text: 'slate splits into thin plates' }])
    await write(index, 'b', [{ id: 'b', text: 'slate is good for roofs' }], 'other')
    const both = { scope: { ...scope, collections: ['main', 'other'] } }
    expect(ids(await find(index, 'slate', both)).sort()).toEqual(['a', 'b'])
    const off = { similarity: { k: 0 }, mmr: { k: 0 }, bm25: { k: 0 } }
    expect(ids(await find(index, 'slate', { ...both, collections: { other: off } }))).toEqual(['a'])
  })

  it("do not depend on a collection's name", async () => {
    const index = memoryPassageIndex()
    await write(index, 'a', [{ id: 'a', text: 'slate splits into thin plates' }], 'constructor')
    expect(ids(await find(index, 'slate', { scope: { ...scope, collections: ['constructor'] } }))).toEqual(['a'])
  })

  it('is read as it was stored before, and what has gone has no effect', async () => {
    const stored = RetrievalSettings.parse({ secondHop: true, reranker: 'offline', neighbours: 1 })
    const own = settingsFor(retrievalDefaults, stored)
    expect({ ...own, rerank: { ...own.rerank, by: undefined } }).toEqual(
      settingsFor(retrievalDefaults, { neighbours: 1 }),
    )
    const index = memoryPassageIndex()
    await write(index, 'slate', [{ id: 'slate', text: 'slate is a stone' }])
    const asked = { reranker: { name: 'never', rerank: () => Promise.reject(new Error('asked')) } }
    const ask = { scope, queries: ['slate'], collections: { main: stored }, signal: never }
    expect(await retrieve({ ...ports, ...asked, index }, ask)).toMatchObject({
      passages: [{ id: 'slate' }],
      degraded: [],
    })
  })

  it('chooses the reranker by name, none at all, or says that it is not there', async () => {
    const index = memoryPassageIndex()
    for (const id of ['amber', 'slate']) await write(index, id, [{ id, text: `${id} is a stone` }])
    const last: Reranker = {
      name: 'last first',
      rerank: (_query, documents) =>
        Promise.resolve(documents.map((_, at) => ({ index: documents.length - 1 - at, score: 1 - at / 10 }))),
    }
    const by = (reranker: 'cross-encoder' | 'cohere' | 'none') =>
      retrieve(
        { ...ports, index, rerankers: { 'cross-encoder': last } },
        { scope, queries: ['slate stone'], collections: { main: { reranker } }, signal: never },
      )
    expect(ids(await by('cross-encoder'))).toEqual(['amber', 'slate'])
    expect(await by('cohere')).toMatchObject({ degraded: ['reranker:cohere'] })
    const bare = await by('none')
    expect(bare.degraded).toEqual([])
    expect(bare.passages.map(({ id, scores }) => [id, scores.rerank])).toEqual([
      ['slate', undefined],
      ['amber', undefined],
    ])
  })
})

describe('neighbours of a passage', () => {
  const chapters = [
    'The quarry opened in 1890.',
    'Slate was cut there by hand.',
    'The quarry closed in 1962.',
    'Nothing else is known.',
  ].map((text, at) => ({ id: `p${at}`, text, version: '1' }))

  it('joins neighbours in the order of the document, no further than the text may grow', async () => {
    const index = memoryPassageIndex()
    await write(index, 'd', chapters)
    const asked = { collections: { main: { neighbours: 1 } } }
    const one = wanting({ perQuery: 1, atLeast: 1 })
    const told = async (maxChars: number) =>
      (await find(index, 'slate cut by hand', asked, { ...one, neighbours: { each: 0, maxChars } })).passages.map(
        ({ id, text }) => [id, text],
      )
    const textOf = (from: number, to: number) =>
      chapters
        .slice(from, to)
        .map(({ text }) => text)
        .join('\n\n')
    expect(await told(6_000)).toEqual([['p1', textOf(0, 3)]])
    expect(await told(textOf(0, 3).length - 1)).toEqual([['p1', textOf(0, 2)]])
    expect(await told(textOf(0, 2).length - 1)).toEqual([['p1', textOf(1, 2)]])
  })

  const around = async (texts: string[], each: number, ranked: string[]) => {
    const index = memoryPassageIndex()
    await write(
      index,
      'd',
      texts.map((text, at) => ({ id: `p${at}`, text, version: '1' })),
    )
    const found = (await index.passages(scope, 'd', null, never)).map((passage) => ({ ...passage, scores: {} }))
    const inOrder = ranked.flatMap((id) => found.filter((passage) => passage.id === id))
    return (await withNeighbours(index, scope, inOrder, () => ({ each, maxChars: 6_000 }), never)).map(
      ({ id, text }) => [id, text],
    )
  }

  it('joins no neighbour that is amended by what was found', async () => {
    const index = memoryPassageIndex()
    await write(index, 'contract', [
      { id: 'notice', text: 'The notice period is 30 days.' },
      { id: 'price', text: 'The price is 5 euro.' },
      { id: 'place', text: 'The place is Oslo.' },
    ])
    const [, price] = (await index.passages(scope, 'contract', null, never)).map((passage) => ({
      ...passage,
      scores: {},
    }))
    const amendment = {
      ...price!,
      id: 'a',
      documentId: 'amendment',
      text: 'The notice period is 45 days.',
      supersedes: ['contract'],
    }
    const joined = await withNeighbours(index, scope, [amendment, price!], () => ({ each: 1, maxChars: 6_000 }), never)
    expect(joined.map(({ text }) => text)).toEqual([
      'The notice period is 45 days.',
      'The price is 5 euro.\n\nThe place is Oslo.',
    ])
  })

  it('leaves out a passage that a better one was joined with, and only that', async () => {
    expect(await around(['a', 'b', 'c', 'd'], 1, ['p1', 'p0', 'p2', 'p3'])).toEqual([
      ['p1', 'a\n\nb\n\nc'],
      ['p3', 'c\n\nd'],
    ])
    expect(await around(['One year.', 'Two years. One year.'], 0, ['p1', 'p0'])).toEqual([
      ['p1', 'Two years. One year.'],
      ['p0', 'One year.'],
    ])
  })
})

describe('documents that change', () => {
  it('puts an amendment before what it amends, and says what amended it', async () => {
    const index = memoryPassageIndex()
    await write(index, 'contract', [
      {
        id: 'c',
        text: 'The notice period of the contract is 30 days, counted from the first of the month.',
        date: '2019-05-01',
      },
    ])
    await write(index, 'amendment', [
      {
        id: 'a',
        text: 'The notice period is 45 days, counted from the first of the month.',
        date: '2023-05-01',
        supersedes: ['contract'],
      },
    ])
    const { passages } = await find(index, 'How long is the notice period of the contract?')
    expect(passages.map(({ id, amendedBy }) => [id, amendedBy])).toEqual([
      ['a', undefined],
      ['c', 'amendment'],
    ])
  })

  it('shows a document that was replaced between two searches only as it is now', async () => {
    const index = memoryPassageIndex()
    const version = (own: string) =>
      write(index, 'd', [
        { id: `slate ${own}`, text: `slate as of version ${own}`, version: own },
        { id: `roof ${own}`, text: `roof as of version ${own}`, version: own },
      ])
    await version('one')
    const replaced = Promise.withResolvers<void>()
    const turning: PassageIndex = {
      ...index,
      search: async (within, query, ...rest) => {
        if (query.text === 'roof version') await replaced.promise
        const found = await index.search(within, query, ...rest)
        if (query.text === 'slate version') await version('two').then(replaced.resolve)
        return found
      },
    }
    const { passages } = await retrieve(
      { ...ports, index: turning },
      { scope, queries: ['slate version', 'roof version'], signal: never },
    )
    expect(passages.map(({ id }) => id).sort()).toEqual(['roof two', 'slate two'])
  })
})

describe('the introduction of a table', () => {
  const section = { headingPath: ['Targets', 'Tier 2'], version: '1' }
  const rows = { ...section, tables: [{ line: 0, header: [['target']], rows: [['uefi']] }] }
  const written = async () => {
    const index = memoryPassageIndex()
    await write(index, 'd', [
      { id: 'tier-1', text: 'All of tier 1 work.', ...section, headingPath: ['Targets', 'Tier 1'] },
      { id: 'legend', text: 'A ? means work in progress.', ...section },
      { id: 'note', text: 'Documentation is not built.', ...section },
      { id: 'first', text: 'uefi ?', ...rows },
      { id: 'second', text: 'wasm ?', ...rows },
      { id: 'after', text: 'More is on the web page.', ...section },
    ])
    const all = (await index.passages(scope, 'd', null, never)).map((passage) => ({ ...passage, scores: {} }))
    return (...ids: string[]) =>
      withIntroductions(
        index,
        scope,
        ids.flatMap((id) => all.filter((passage) => passage.id === id)),
        never,
      ).then((found) => found.map(({ id }) => id))
  }

  it('is added behind all results, once, and never with text of another section or after the table', async () => {
    const found = await written()
    expect(await found('second', 'first')).toEqual(['second', 'first', 'note', 'legend'])
    expect(await found('legend', 'first')).toEqual(['legend', 'first', 'note'])
    expect(await found('note', 'after')).toEqual(['note', 'after'])
  })

  it('is left out where it is long', async () => {
    const index = memoryPassageIndex()
    const long = { text: 'A long text. '.repeat(200), ...section }
    await write(index, 'd', [
      { id: 'long', ...long },
      { id: 'short', text: 'All money in euros.', ...section },
      { id: 'table', text: 'rent 5', ...rows },
    ])
    const table = (await index.passages(scope, 'd', { from: 2, to: 2 }, never)).map((one) => ({ ...one, scores: {} }))
    const found = await withIntroductions(index, scope, table, never)
    expect(found.map(({ id }) => id)).toEqual(['table', 'short'])
  })
})

describe('the best word match', () => {
  it('is kept of each query, even if the vectors rank it last', async () => {
    const index = memoryPassageIndex()
    const texts = ['red boats', 'red sails', 'red nets', 'blue mooring ropes']
    // By its vector, the last text is not about ropes.
    const vectors = await lexicalEmbedder.embed(['red mooring', 'red mooring', 'red mooring', 'grey whale'], never)
    const entries = texts.map((text, position) => ({
      passage: { id: `p${position}`, documentId: 'd', collection: 'main', title: 'd', headingPath: [], position, text },
      vector: vectors[position]!,
    }))
    await index.write('t', indexed('d', 'main', lexicalEmbedder), entries, never)
    const search = { ...retrievalDefaults.search, bm25: { k: 4, weight: 0 }, similarity: { k: 3, weight: 1 } }
    const idsOf = async (...queries: string[]): Promise<string[]> => {
      const settings = { ...wanting({ perQuery: 1, atLeast: 1, byWords: 1 }), search }
      return (await retrieve({ ...ports, index }, { queries, scope, signal: never }, settings)).passages.map(
        ({ id }) => id,
      )
    }
    expect(await idsOf('red nets', 'mooring ropes')).toContain('p3')
    expect(await idsOf('red nets', 'red nets')).not.toContain('p3')
  })
})
