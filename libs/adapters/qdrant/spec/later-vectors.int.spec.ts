import type { WithoutVectors } from '@plumbline/ports/passage-index/passage-index'
import { describe, expect, it } from 'vitest'
import { openQdrantPassageIndex, type QdrantPassageIndex } from '../qdrant-passage-index'
import { along, documentOf, never, passagesFound, passagesOf, serverOfSpecs, stored } from './kit'

const server = await serverOfSpecs()
const space = { name: 'encoder', dimensions: 4 }
const main = { tenant: 't', collection: 'main' }

type Index = QdrantPassageIndex & Required<Pick<QdrantPassageIndex, 'laterVectors'>>
const open = async (): Promise<Index> => (await openQdrantPassageIndex({ url: server.url })) as Index

const none = new Float32Array()
/** Writes a document without vectors. */
const put = (index: Index, id: string, size: number, mark = 'old') =>
  index.write(
    't',
    documentOf(id, { space: space.name }),
    passagesOf(id, mark, size).map((one) => ({ ...one, vector: none })),
    never,
  )
const add = (index: Index, batch: WithoutVectors) =>
  index.laterVectors.add(
    space,
    batch,
    batch.passages.map(() => along(1)),
    never,
  )
/** Adds every missing vector, and returns the batches in order. */
const addAll = async (index: Index): Promise<Pick<WithoutVectors, 'documentId' | 'from' | 'of'>[]> => {
  const batches = []
  for (let batch; (batch = await index.laterVectors.next(space, never));) {
    await add(index, batch)
    batches.push({ documentId: batch.documentId, from: batch.from, of: batch.of })
  }
  return batches
}

describe('a document without vectors', () => {
  it('is found by its words, and by its vectors once all passages have one', async () => {
    const index = await open()
    await put(index, 'd', 3)
    expect(await passagesFound(index, space.name)).toEqual([{ d: 'old 3' }, {}])
    expect(await index.laterVectors.missing(space, main, never)).toBe(3)
    expect(await index.laterVectors.missing(space, { ...main, collection: 'other' }, never)).toBe(0)
    expect(await addAll(index)).toEqual([{ documentId: 'd', from: 0, of: 3 }])
    expect(await passagesFound(index, space.name)).toEqual([{ d: 'old 3' }, { d: 'old 3' }])
    expect(await index.laterVectors.missing(space, null, never)).toBe(0)
    expect(stored(server, 'd')).toHaveLength(3)
  })

  it('continues after its last batch in another process, and is found by its vectors only when complete', async () => {
    const first = await open()
    await put(first, 'd', 150)
    const batch = await first.laterVectors.next(space, never)
    expect(batch).toMatchObject({ from: 0, of: 150 })
    await add(first, batch!)
    expect(await passagesFound(first, space.name)).toEqual([{ d: 'old 150' }, {}])
    const second = await open()
    expect(await addAll(second)).toEqual([
      { documentId: 'd', from: 64, of: 150 },
      { documentId: 'd', from: 128, of: 150 },
    ])
    expect(await passagesFound(second, space.name)).toEqual([{ d: 'old 150' }, { d: 'old 150' }])
  })

  it('ignores vectors of a version that was replaced, and stores nothing of them', async () => {
    const index = await open()
    await put(index, 'd', 2)
    const batch = await index.laterVectors.next(space, never)
    await put(index, 'd', 3, 'new')
    await add(index, batch!)
    expect(await passagesFound(index, space.name)).toEqual([{ d: 'new 3' }, {}])
    expect(stored(server, 'd')).toHaveLength(3)
    await addAll(index)
    expect(await passagesFound(index, space.name)).toEqual([{ d: 'new 3' }, { d: 'new 3' }])
    await index.remove('t', 'd', never)
    expect(stored(server, 'd')).toEqual([])
    expect(await index.laterVectors.next(space, never)).toBeNull()
  })

  it('is not embedded while some of its passages are lost', async () => {
    const index = await open()
    await put(index, 'd', 3)
    for (const [name, { points }] of server.store.collections)
      if (!name.includes('.documents')) points.delete([...points.keys()][0] ?? '')
    await expect(index.laterVectors.next(space, never)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/2 of 3 passages.*Re-index/) as string },
    })
  })

  it('gets the vectors once if two processes add the same batch', async () => {
    const [one, other] = [await open(), await open()]
    await put(one, 'd', 70)
    const batches = await Promise.all([one, other].map((index) => index.laterVectors.next(space, never)))
    await add(one, batches[0]!)
    await add(other, batches[1]!)
    expect(await addAll(one)).toEqual([{ documentId: 'd', from: 64, of: 70 }])
    expect(await passagesFound(one, space.name)).toEqual([{ d: 'old 70' }, { d: 'old 70' }])
    expect(stored(server, 'd')).toHaveLength(70)
  })

  it('gets vectors in the new collection too while a rebuild copies the collection', async () => {
    const index = await open()
    await index.write('t', documentOf('e', { space: space.name }), passagesOf('e', 'old', 2), never)
    await put(index, 'd', 70)
    const batch = await index.laterVectors.next(space, never)
    await add(index, batch!)
    await index.rebuild(never)
    await addAll(index)
    expect(await passagesFound(index, space.name)).toEqual([
      { d: 'old 70', e: 'old 2' },
      { d: 'old 70', e: 'old 2' },
    ])
  })
})

describe('a document with vectors of another embedder', () => {
  it('keeps them until all its passages have new vectors', async () => {
    const index = await open()
    await index.write('t', documentOf('d'), passagesOf('d', 'old', 70), never)
    const batch = await index.laterVectors.next(space, never)
    await add(index, batch!)
    expect(await passagesFound(index, 'one')).toEqual([{ d: 'old 70' }, { d: 'old 70' }])
    await addAll(index)
    expect(await passagesFound(index, 'one')).toEqual([{ d: 'old 70' }, {}])
    expect(await passagesFound(index, space.name)).toEqual([{ d: 'old 70' }, { d: 'old 70' }])
  })
})
