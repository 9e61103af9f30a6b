import { lexicalEmbedder } from '@plumbline/adapters/offline'
import type { Passage, RetrievalSettings } from '@plumbline/contracts'
import { memoryPassageIndex, type PassageIndex } from '@plumbline/ports/passage-index'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { candidatesFor } from './candidates'
import { retrievalDefaults } from './retrieval-defaults'

const never = new AbortController().signal
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
  it('of collections that are searched otherwise stand in the order of their ranks', async () => {
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
