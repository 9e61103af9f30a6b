import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { IndexedDocument } from '@plumbline/ports/passage-index/passage-index'
import { entry, never, pointing } from '@plumbline/ports/passage-index/kit.contract'
import { openSqliteExport } from './exporting'
import { openSqlitePassageIndex } from './sqlite-passage-index'

it('counts documents whose vectors are missing, and exports none of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-export-'))
  const file = join(folder, 'index.sqlite')
  const index = await openSqlitePassageIndex({ file })
  const about = { id: 'd1', collection: 'main', version: 'v1', metadata: {}, access: [], space: 'encoder' }
  await index.write('acme', about, [entry('d1', 'main', 'text', new Float32Array(), { position: 0 })], never)
  await index.close()
  const from = openSqliteExport(file)
  expect(from.withoutVectors()).toBe(1)
  expect(() => [...from.documents()]).toThrow('has 1 passages, but vectors for only 0')
  from.close()
  await rm(folder, { recursive: true })
})

it('exports an index file as it was written: tenants, tags, metadata, passages and vectors', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-export-'))
  const file = join(folder, 'index.sqlite')
  const index = await openSqlitePassageIndex({ file })
  const about: IndexedDocument = {
    id: 'd1',
    collection: 'main',
    version: 'v2',
    metadata: { year: '2023', 'a b': '"' },
    access: ['board', 'staff'],
    space: 'model:of:8',
  }
  const passages = [1, 0].map((position) => entry('d1', 'main', `text ${position}`, pointing(position), { position }))
  await index.write('acme', { ...about, version: 'v1' }, passages.slice(0, 1), never)
  await index.write('acme', about, passages, never)
  const plain = { ...about, metadata: {}, access: [], collection: 'other' }
  await index.write('bold', plain, [], never)
  await index.write('bold', { ...plain, id: 'd2' }, passages, never)
  await index.remove('bold', 'd2', never)
  await index.close()
  const from = openSqliteExport(file)
  expect(from.count()).toBe(2)
  expect([...from.documents()]).toEqual([
    { tenant: 'acme', document: about, passages },
    { tenant: 'bold', document: plain, passages: [] },
  ])
  from.close()
  await rm(folder, { recursive: true })
})
