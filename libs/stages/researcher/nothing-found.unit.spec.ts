import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import type { CollectionView, Passage } from '@plumbline/contracts'
import { admitted, after, asking, planned, toResearch } from '@plumbline/flow/spec/run-fixtures.spec'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { offlineSkills } from '@plumbline/skills/offline'
import { indexed } from '@plumbline/testing/indexed'
import { describe, expect, it } from 'vitest'
import { workOn } from '../work.spec'
import { research } from './research'

const never = new AbortController().signal
const ports = { embedder: lexicalEmbedder, reranker: null }

describe('note of a step that finds nothing', () => {
  const step = async (
    views: Partial<CollectionView>[],
    fill: (index: PassageIndex) => Promise<void> = () => Promise.resolve(),
    access: string[] | 'all' = 'all',
    counts: Pick<Parameters<typeof research>[0], 'beingRead' | 'arriving' | 'readable'> = {},
    index = memoryPassageIndex(),
  ) => {
    await fill(index)
    const handler = research({
      skills: offlineSkills,
      ...ports,
      index,
      collections: () => Promise.resolve(views as CollectionView[]),
      ...counts,
    })
    return handler(
      workOn(
        after(
          asking({ deadlineMs: 4_000 }, { collections: ['main'], tenant: 't', access }),
          admitted,
          toResearch,
          planned('What is slate good for?'),
        ),
        'research',
      ),
    )
  }
  const tagged = async (index: PassageIndex): Promise<void> => {
    const [vector] = await lexicalEmbedder.embed(['slate'], never)
    const passage: Passage = {
      id: 'p',
      documentId: 'd',
      collection: 'main',
      title: 'd',
      text: 'Slate is good for roofs.',
      headingPath: [],
      position: 0,
    }
    await index.write(
      't',
      indexed('d', 'main', lexicalEmbedder, { access: ['board'] }),
      [{ passage, vector: vector! }],
      never,
    )
  }

  it.each([
    ['there is no such collection', [], undefined, 'all' as const, 'the collection main does not exist'],
    ['nothing is in it', [{ name: 'main' }], undefined, 'all' as const, 'the collection main contains no passages yet'],
    [
      'the asker may read nothing in it',
      [{ name: 'main' }],
      tagged,
      ['staff'],
      'the asker may read no document in the collection main',
    ],
  ])('%s', async (_case, views, fill, access, reason) => {
    expect(await step(views, fill, access)).toMatchObject({ outcome: 'nothing', reason })
  })

  it('is the same for an empty collection and one without access', async () => {
    const note =
      'No document in the collection main is readable: there are no documents yet, or the asker may read none of them.'
    for (const fill of [undefined, tagged])
      expect(await step([{ name: 'main' }], fill, ['staff'])).toMatchObject({ outcome: 'nothing', note })
  })

  it.each([
    [1, '1 document of the collection main is still being read'],
    [3, '3 documents of the collection main are still being read'],
  ])(
    'says that %i readable documents are still being read, and omits it if something is found',
    async (reading, reason) => {
      const nothing = { outcome: 'nothing', reason, note: `${reason}.`, beingRead: reading }
      const counts = { beingRead: () => Promise.resolve(reading) }
      expect(await step([{ name: 'main' }], undefined, ['staff'], counts)).toMatchObject(nothing)
      expect(await step([{ name: 'main' }], tagged, ['board'], counts)).not.toHaveProperty('beingRead')
    },
  )

  it('waits for a document that is being read, and finds it', async () => {
    const index = memoryPassageIndex()
    const counted = [3, 2, 1]
    const beingRead = async (): Promise<number> => {
      const left = counted.shift() ?? 0
      if (left === 0) await tagged(index)
      return left
    }
    const found = await step([{ name: 'main' }], undefined, ['board'], { beingRead }, index)
    expect(found).toMatchObject({ outcome: 'found', passages: [{ id: 'p' }] })
  })

  it('waits for a document that has just come even where another one answers', async () => {
    const index = memoryPassageIndex()
    const older: Passage = {
      id: 'older',
      documentId: 'older',
      collection: 'main',
      title: 'older',
      text: 'Slate is heavy.',
      headingPath: [],
      position: 0,
    }
    await index.write(
      't',
      indexed('older', 'main', lexicalEmbedder),
      [{ passage: older, vector: new Float32Array(1) }],
      never,
    )
    const counted = [1, 1]
    const arriving = async (): Promise<number> => {
      const left = counted.shift() ?? 0
      if (left === 0) await tagged(index)
      return left
    }
    const found = await step([{ name: 'main' }], undefined, ['board'], { arriving }, index)
    expect(found.outcome === 'found' && found.passages.map(({ id }) => id)).toContain('p')
  })

  it('names another readable collection that contains words of the question, whatever vectors find', async () => {
    const index = memoryPassageIndex()
    const write = async (id: string, collection: string, text: string, access: string[] = []) => {
      const passage = { id, documentId: id, collection, title: id, text, headingPath: [], position: 0 }
      const vector = new Float32Array(lexicalEmbedder.dimensions).fill(1)
      await index.write('t', indexed(id, collection, lexicalEmbedder, { access }), [{ passage, vector }], never)
    }
    const noteFor = async (access: string[]) => {
      const readable = () => Promise.resolve(['main', 'roofs', 'board', 'plumbline-docs'])
      return step([{ name: 'main' }], undefined, access, { readable }, index)
    }
    await write('x', 'main', 'Copper pipes.')
    await write('y', 'board', 'Slate, slate, slate.', ['board'])
    await write('w', 'plumbline-docs', 'Slate, slate, slate.')
    expect(await noteFor(['staff'])).not.toHaveProperty('note')
    await write('z', 'roofs', 'Slate is good for roofs.')
    const note = 'No document in the collection main contains a word of the question.'
    expect(await noteFor(['staff'])).toMatchObject({
      note: `${note} The collection roofs contains words of the question.`,
    })
    await write('v', 'main', 'Slate is heavy.')
    expect(await noteFor(['staff'])).not.toHaveProperty('note')
  })

  it('names a collection whose vectors another embedder made, and searches it by words', async () => {
    const found = await step([{ name: 'main', embedder: 'another' }], tagged, ['board'])
    expect(found).toMatchObject({ outcome: 'found', degraded: ['vectors:main'] })
  })
})
