import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexedPassage, PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlitePassageIndex } from './sqlite-passage-index'

const folder = await mkdtemp(join(tmpdir(), 'plumbline-commit-'))
afterAll(() => rm(folder, { recursive: true }))
const never = new AbortController().signal

const passage = (documentId: string): IndexedPassage => ({
  passage: {
    id: `${documentId}.0`,
    documentId,
    collection: 'main',
    title: documentId,
    text: `The text of ${documentId}`,
    headingPath: [],
    position: 0,
  },
  vector: new Float32Array([1, 0]),
})
const write = (index: PassageIndex, id: string, passages = [passage(id)]): Promise<void> =>
  index.write('t', { id, collection: 'main', version: '1', metadata: {}, access: [], space: 'model' }, passages, never)
const ids = Array.from({ length: 100 }, (_, nth) => `d${nth}`)
const count = (index: PassageIndex): Promise<number> =>
  index.count({ tenant: 't', collections: ['main'], filters: {}, access: 'all' }, never)
/** Returns the size of SQLite's write-ahead log. Every commit appends its changed pages to the log. */
const logBytes = async (file: string): Promise<number> => (await stat(`${file}-wal`)).size

describe('documents that are written at the same time', () => {
  it('share commits', async () => {
    const [alone, together] = [join(folder, 'alone.sqlite'), join(folder, 'together.sqlite')]
    const [one, all] = [await openSqlitePassageIndex({ file: alone }), await openSqlitePassageIndex({ file: together })]
    for (const id of ids) await write(one, id)
    await Promise.all(ids.map((id) => write(all, id)))
    expect([await count(one), await count(all)]).toEqual([100, 100])
    expect(await logBytes(together)).toBeLessThan((await logBytes(alone)) / 2)
    await Promise.all([one.close(), all.close()])
  })

  it('fail independently of each other', async () => {
    const index = await openSqlitePassageIndex({ file: join(folder, 'faulty.sqlite') })
    const faulty = passage('faulty')
    const broken = { ...faulty, passage: { ...faulty.passage, position: null as unknown as number } }
    const outcomes = await Promise.allSettled([
      write(index, 'before'),
      write(index, 'faulty', [broken]),
      write(index, 'after'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await count(index)).toBe(2)
    await index.close()
  })
})
