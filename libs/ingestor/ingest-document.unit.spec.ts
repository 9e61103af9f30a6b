import { lexicalEmbedder } from '@plumbline/adapters/offline'
import type { NewDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { memoryPassageIndex } from '@plumbline/ports/passage-index'
import { describe, expect, it } from 'vitest'
import type { IngestCatalog } from './ingest-document'
import { ingestDocument } from './ingest-document'

const never = new AbortController().signal
const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }

/** A catalog of one document, which writes down what it is told. */
const catalogOf = (document: Partial<NewDocument> = {}, levels?: number[]) => {
  const told: { status: string; passages: number; percent: number; error?: string }[] = []
  const noted: string[][] = []
  const held: NewDocument = { title: 'Stones', text: '# Quartz\n\nHard.\n\n# Talc\n\n## Use\n\nSoft.', format: 'markdown', collection: 'main', ...document }
  const state = { removed: false }
  const catalog: IngestCatalog = {
    source: (id) => Promise.resolve(id === 'd1' ? { tenant: 't', document: held } : null),
    collection: () => Promise.resolve(levels ? { chunking: { by: 'headings', levels, maxChars: 1_200 } } : null),
    progress: (_, status, progress) => {
      told.push({ status, ...progress })
      return Promise.resolve(!state.removed)
    },
    noteHeadings: (_tenant, _collection, _id, titles) => {
      noted.push(titles)
      return Promise.resolve()
    },
  }
  return { catalog, told, noted, state }
}

describe('ingestDocument', () => {
  it('cuts, embeds and indexes, tells how far it is, and notes the headings', async () => {
    const { catalog, told, noted } = catalogOf({ metadata: { year: '2024' } })
    const index = memoryPassageIndex()
    expect(await ingestDocument({ catalog, index, embedder: lexicalEmbedder })('d1', never)).toBe('indexed')
    expect(await index.count({ ...scope, filters: { year: '2024' } }, never)).toBe(2)
    expect(noted).toEqual([['Quartz', 'Talc', 'Use']])
    expect(told.map(({ status, passages, percent }) => [status, passages, percent])).toEqual([['processing', 2, 90], ['indexed', 2, 100]])
  })

  it('tells what embedding cost, and whom', async () => {
    const usage = { calls: 1, tokensIn: 12, tokensOut: 0, cents: 0.01 }
    const embedder: typeof lexicalEmbedder = {
      ...lexicalEmbedder,
      embed: (texts, signal, onCall) => {
        onCall?.({ model: 'an embedder', usage })
        return lexicalEmbedder.embed(texts, signal)
      },
    }
    const charged: unknown[] = []
    const { catalog } = catalogOf()
    await ingestDocument({ catalog, index: memoryPassageIndex(), embedder, charge: (document, of) => void charged.push([document, of]) })('d1', never)
    expect(charged).toEqual([[{ id: 'd1', tenant: scope.tenant }, usage]])
  })

  it('changes nothing when it is done again', async () => {
    const { catalog } = catalogOf()
    const index = memoryPassageIndex()
    const ingest = ingestDocument({ catalog, index, embedder: lexicalEmbedder })
    await ingest('d1', never)
    const before = await index.passages(scope, 'd1', null, never)
    await ingest('d1', never)
    expect(await index.passages(scope, 'd1', null, never)).toEqual(before)
  })

  it("cuts at the collection's heading levels", async () => {
    const index = memoryPassageIndex()
    const text = '# A\n\none\n\n## B\n\ntwo\n\n### C\n\nthree'
    const count = async (levels: number[]): Promise<number> => {
      await ingestDocument({ catalog: catalogOf({ text }, levels).catalog, index, embedder: lexicalEmbedder })('d1', never)
      return index.count(scope, never)
    }
    expect([await count([1]), await count([1, 2]), await count([1, 2, 3])]).toEqual([1, 2, 3])
  })

  it('has nothing to do for a document that is gone', async () => {
    const { catalog, told } = catalogOf()
    expect(await ingestDocument({ catalog, index: memoryPassageIndex(), embedder: lexicalEmbedder })('d2', never)).toBe('gone')
    expect(told).toEqual([])
  })

  it('leaves nothing behind of a document that was removed meanwhile', async () => {
    const { catalog, state } = catalogOf()
    const index = memoryPassageIndex()
    const noteHeadings: IngestCatalog['noteHeadings'] = () => {
      state.removed = true
      return Promise.resolve()
    }
    expect(await ingestDocument({ catalog: { ...catalog, noteHeadings }, index, embedder: lexicalEmbedder })('d1', never)).toBe('gone')
    expect(await index.count(scope, never)).toBe(0)
  })

  it('says why a document cannot be indexed', async () => {
    const { catalog, told } = catalogOf({ text: '# Only\n\n## Headings\n' })
    expect(await ingestDocument({ catalog, index: memoryPassageIndex(), embedder: lexicalEmbedder })('d1', never)).toBe('failed')
    expect(told).toEqual([{ status: 'failed', passages: 0, percent: 0, error: expect.stringContaining('no text') as string }])
  })

  it('leaves the document queued when a port is down', async () => {
    const { catalog, told } = catalogOf()
    const embedder = { ...lexicalEmbedder, embed: () => Promise.reject(new AppError('embedder.down', 'later')) }
    await expect(ingestDocument({ catalog, index: memoryPassageIndex(), embedder })('d1', never)).rejects.toMatchObject({ retry: 'later' })
    expect(told.map(({ status }) => status)).not.toContain('failed')
  })
})
