import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entry, pointing } from '@plumbline/ports/passage-index/kit.contract'
import { onlyMethod, type PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlitePassageIndex } from './sqlite-passage-index'

const folder = await mkdtemp(join(tmpdir(), 'plumbline-later-'))
const opened: PassageIndex[] = []
afterAll(async () => {
  await Promise.all(opened.map((index) => index.close()))
  await rm(folder, { recursive: true })
})
const never = new AbortController().signal
const space = { name: 'encoder', dimensions: 8 }
const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }
const none = new Float32Array()

const open = async (name: string): Promise<Required<PassageIndex>> => {
  const index = (await openSqlitePassageIndex({ file: join(folder, `${name}.sqlite`) })) as Required<PassageIndex>
  opened.push(index)
  return index
}
const put = (
  index: PassageIndex,
  id: string,
  texts: string[],
  { version = '1', vector = none as Float32Array, own = '' } = {},
) =>
  index.write(
    't',
    { id, collection: 'main', version, metadata: {}, access: [], space: own },
    texts.map((text, position) => entry(id, 'main', text, vector, { position })),
    never,
  )
const near = async (index: PassageIndex, values = pointing(1)) =>
  (
    await index.search(
      scope,
      { text: '', vector: { space: space.name, values } },
      onlyMethod('similarity', { k: 9 }),
      never,
    )
  ).map(({ passage }) => passage.text)
const matching = async (index: PassageIndex, text: string) =>
  (await index.search(scope, { text, vector: null }, onlyMethod('bm25', { k: 9 }), never)).map(
    ({ passage }) => passage.text,
  )

/** Adds every missing vector, and returns the documents in the order in which they were completed. */
const addAll = async ({ laterVectors }: Required<PassageIndex>): Promise<string[]> => {
  const done: string[] = []
  for (let batch; (batch = await laterVectors.next(space, never));) {
    const vectors = batch.passages.map(() => pointing(1))
    await laterVectors.add(space, batch, vectors, never)
    if (batch.from + batch.passages.length >= batch.of) done.push(batch.documentId)
  }
  return done
}

describe('a document without vectors', () => {
  it('is found by its words, and by its vectors once all passages have one', async () => {
    const index = await open('later')
    await put(index, 'quartz', ['Quartz is hard.', 'Quartz is clear.'])
    expect(await matching(index, 'quartz')).toHaveLength(2)
    expect(await near(index)).toEqual([])
    expect(await index.laterVectors.missing(space, { tenant: 't', collection: 'main' }, never)).toBe(2)
    expect(await addAll(index)).toEqual(['quartz'])
    expect(await near(index)).toHaveLength(2)
    expect(await index.laterVectors.missing(space, null, never)).toBe(0)
    await put(index, 'talc', ['Talc is soft.'])
    expect(await addAll(index)).toEqual(['talc'])
    expect((await near(index)).sort()).toEqual(['Quartz is clear.', 'Quartz is hard.', 'Talc is soft.'])
  })

  it('is not found by old vectors while those of another model replace them', async () => {
    const index = await open('changed')
    await put(
      index,
      'large',
      Array.from({ length: 70 }, (_, n) => `Quartz ${n}.`),
    )
    await addAll(index)
    expect(await near(index)).not.toEqual([])
    const wider = { name: 'other', dimensions: 12 }
    const batch = (await index.laterVectors.next(wider, never))!
    expect(batch.passages.length).toBeLessThan(batch.of)
    await index.laterVectors.add(
      wider,
      batch,
      batch.passages.map(() => new Float32Array(12).fill(1)),
      never,
    )
    expect(await near(index)).toEqual([])
    expect(await matching(index, 'quartz')).not.toEqual([])
    expect(await addAll(index)).toEqual(['large'])
    expect(await near(index)).not.toEqual([])
  })

  it('continues after its last batch when the index is opened again', async () => {
    const first = await open('again')
    await put(
      first,
      'long',
      Array.from({ length: 150 }, (_, at) => `Line ${at}.`),
    )
    const batch = await first.laterVectors.next(space, never)
    expect(batch).toMatchObject({ from: 0, of: 150 })
    await first.laterVectors.add(
      space,
      batch!,
      batch!.passages.map(() => pointing(1)),
      never,
    )
    expect(await near(first)).toEqual([])
    await first.close()
    const second = await open('again')
    expect(await second.laterVectors.next(space, never)).toMatchObject({ from: batch!.passages.length })
    expect(await addAll(second)).toEqual(['long'])
    expect(await near(second)).toHaveLength(9)
  })

  it('ignores vectors of a version that was replaced', async () => {
    const index = await open('replaced')
    await put(index, 'slate', ['Slate is grey.'])
    const batch = await index.laterVectors.next(space, never)
    await put(index, 'slate', ['Slate splits.'], { version: '2' })
    await index.laterVectors.add(space, batch!, [pointing(1)], never)
    expect(await near(index)).toEqual([])
    expect(await addAll(index)).toEqual(['slate'])
    expect(await near(index)).toEqual(['Slate splits.'])
  })

  it('replaces the vectors of another embedder; until then, a search with that embedder finds the document', async () => {
    const index = await open('other')
    await put(index, 'chalk', ['Chalk is white.'], { vector: pointing(2), own: 'old' })
    const byOld = async () =>
      index.search(
        scope,
        { text: '', vector: { space: 'old', values: pointing(2) } },
        onlyMethod('similarity', { k: 9 }),
        never,
      )
    expect(await byOld()).toHaveLength(1)
    expect(await near(index)).toEqual([])
    expect(await addAll(index)).toEqual(['chalk'])
    expect(await near(index)).toEqual(['Chalk is white.'])
  })
})
