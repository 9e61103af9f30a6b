import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentStore, LocalFile, Revision } from './document-store'

const never = new AbortController().signal
const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const documentStoreContract = (
  name: string,
  open: () => Promise<{ store: DocumentStore; close(): Promise<void> }>,
): void => {
  describe(`document store: ${name}`, () => {
    let store: DocumentStore
    let close: () => Promise<void>
    beforeAll(async () => {
      const opened = await open()
      ;({ store } = opened)
      close = opened.close
    })
    afterAll(() => close())

    const fileOf = async (content: string): Promise<LocalFile> => {
      const path = join(store.incoming, `${randomUUID()}.tmp`)
      const bytes = Buffer.from(content)
      await writeFile(path, bytes)
      return { path, bytes: bytes.length, digest: digestOf(bytes) }
    }
    const make = async (of: Revision, content = 'text'): Promise<void> => {
      await store.put(of, 'original', await fileOf(content))
      await store.put(of, 'original.json', Buffer.from('{}'))
    }
    const listed = async (tenant: string | null): Promise<string[]> => {
      const found: string[] = []
      for await (const one of store.list(tenant, never)) found.push(`${one.tenant}/${one.id}/${one.revision}`)
      return found.sort()
    }
    const textOf = async (of: Revision, part: string): Promise<string | undefined> =>
      (await store.read(of, part))?.toString('utf8')

    it('returns stored content, measured, and as a file while it is in use', async () => {
      const of = { tenant: 'whole', id: 'dw1', revision: 'v1' }
      expect([await store.read(of, 'original'), await store.size(of, 'original')]).toEqual([null, null])
      expect(await store.withFile(of, 'original', never, () => Promise.resolve('used'))).toBeNull()
      await make(of, 'größer')
      await store.put(of, 'pages/1.png', Buffer.from([0, 255]))
      await store.put(of, 'pages/1.png', Buffer.from([1, 2, 3]))
      expect([await textOf(of, 'original'), await store.size(of, 'original')]).toEqual(['größer', 8])
      const path = await store.withFile(of, 'original', never, async (path) => {
        expect(await readFile(path, 'utf8')).toBe('größer')
        return path
      })
      expect(path).toEqual(expect.any(String))
      const parts = (await store.parts(of)).sort((a, b) => (a.name < b.name ? -1 : 1))
      expect(parts).toEqual([
        { name: 'original', bytes: 8, digest: digestOf(Buffer.from('größer')) },
        { name: 'original.json', bytes: 2, digest: digestOf(Buffer.from('{}')) },
        { name: 'pages/1.png', bytes: 3, digest: digestOf(Buffer.from([1, 2, 3])) },
      ])
    })

    it("keeps tenants apart, even if one tenant's name is a prefix of another's", async () => {
      const tenants = ['acme', 'acme-2', 'ac', 'a/../acme', 'ACME corp']
      for (const [nth, tenant] of tenants.entries())
        for (const id of [`dt${nth}`, `dt${nth}0`]) await make({ tenant, id, revision: 'v1' }, tenant)
      expect(await listed('acme')).toEqual(['acme/dt0/v1', 'acme/dt00/v1'])
      expect(await listed('a/../acme')).toEqual(['a/../acme/dt3/v1', 'a/../acme/dt30/v1'])
      expect(await listed('nobody')).toEqual([])
      expect(await listed(null)).toEqual(expect.arrayContaining(['ac/dt2/v1', 'ACME corp/dt40/v1']))
      await store.remove({ tenant: 'acme', id: 'dt0' })
      expect(await listed('acme')).toEqual(['acme/dt00/v1'])
      const theirs = { tenant: 'acme-2', id: 'dt1', revision: 'v1' }
      const mine = { ...theirs, tenant: 'acme' }
      await store.remove(mine)
      await store.drop(mine)
      await expect(store.put(mine, 'parsed.json', Buffer.from('x'))).rejects.toMatchObject({ code: 'document.gone' })
      const seen = [await store.read(mine, 'original'), await store.size(mine, 'original'), await store.parts(mine)]
      expect([...seen, await store.withFile(mine, 'original', never, () => Promise.resolve(1))]).toEqual([
        null,
        null,
        [],
        null,
      ])
      expect(await textOf(theirs, 'original')).toBe('acme-2')
      expect((await store.parts(theirs)).map(({ name }) => name).sort()).toEqual(['original', 'original.json'])
    })

    it('drops one revision, or one of its folders, and nothing with the same prefix', async () => {
      const of = { tenant: 'drops', id: 'dd1', revision: 'v1' }
      for (const revision of ['v1', 'v10']) await make({ ...of, revision })
      await store.put(of, 'vectors/0.bin', Buffer.from('v'))
      await store.put(of, 'parsed.json', Buffer.from('p'))
      await store.drop(of, 'vectors')
      expect((await store.parts(of)).map(({ name }) => name).sort()).toEqual([
        'original',
        'original.json',
        'parsed.json',
      ])
      await store.drop(of)
      await store.drop(of)
      expect(await listed('drops')).toEqual(['drops/dd1/v10'])
    })

    it('lists the revisions of a document and the parts of each, and drops a single part', async () => {
      const of = { tenant: 'parts', id: 'dp1', revision: 'v1' }
      for (const revision of ['v1', 'v2']) await make({ ...of, revision })
      await make({ ...of, id: 'dp10' })
      await store.put(of, 'unknown.json', Buffer.from('{}'))
      await store.put(of, 'pages/1.png', Buffer.from('p'))
      expect((await store.revisions(of)).sort()).toEqual(['v1', 'v2'])
      await store.dropPart(of, 'unknown.json')
      await store.dropPart(of, 'unknown.json')
      for await (const { id, revision, parts } of store.list('parts', never))
        if (id === of.id && revision === of.revision)
          expect(parts).toEqual(expect.arrayContaining(['original', 'original.json']))
      expect((await store.parts(of)).map(({ name }) => name).sort()).toEqual([
        'original',
        'original.json',
        'pages/1.png',
      ])
      expect(await store.revisions({ tenant: 'parts', id: 'dp9' })).toEqual([])
    })

    it("keeps a tombstone when its document is removed, separate from other tenants' tombstones", async () => {
      const of = { tenant: 'acme/x', id: 'dz1', revision: 'v1' }
      const stones = async (): Promise<string[]> => {
        const found: string[] = []
        for await (const { tenant, id, touchedAt } of store.tombstones.list(never)) {
          expect(Math.abs(Date.now() - touchedAt)).toBeLessThan(60_000)
          found.push(`${tenant} ${id}`)
        }
        return found.sort()
      }
      await make(of)
      await store.tombstones.put(of, Buffer.from('one'))
      await store.tombstones.put(of, Buffer.from('two'))
      await store.tombstones.put({ ...of, tenant: 'acme' }, Buffer.from('other'))
      await store.remove(of)
      expect([(await store.tombstones.read(of))?.toString(), await stones()]).toEqual([
        'two',
        ['acme dz1', 'acme/x dz1'],
      ])
      expect(await listed(null)).not.toContainEqual(expect.stringContaining('dz1'))
      await store.tombstones.drop(of)
      await store.tombstones.drop(of)
      expect([await store.tombstones.read(of), await stones()]).toEqual([null, ['acme dz1']])
    })

    it('adds no part to a removed revision', async () => {
      const of = { tenant: 'gone', id: 'dg1', revision: 'v1' }
      await make(of)
      await store.remove(of)
      for (const part of ['parsed.json', 'vectors/0.bin', 'pages/1.png'])
        await expect(store.put(of, part, Buffer.from('x'))).rejects.toMatchObject({ code: 'document.gone' })
      expect([await listed('gone'), await store.parts(of)]).toEqual([[], []])
    })

    it.each(['../d1', 'd1/..', '', 'D1', 'd1\0', 'a'.repeat(65)])('rejects an invalid id as a path: %j', async (id) => {
      const refused = { code: 'document.id' }
      const of = { tenant: 'ids', id, revision: 'v1' }
      await expect(Promise.resolve().then(() => store.read(of, 'original'))).rejects.toMatchObject(refused)
      await expect(Promise.resolve().then(() => store.remove(of))).rejects.toMatchObject(refused)
      await expect(Promise.resolve().then(() => store.drop({ ...of, id: 'd1', revision: id }))).rejects.toMatchObject(
        refused,
      )
    })

    it('reports when a revision was touched, and removes unfinished files of dead processes', async () => {
      await make({ tenant: 'times', id: 'dm1', revision: 'v1' })
      for await (const { touchedAt } of store.list('times', never))
        expect(Math.abs(Date.now() - touchedAt)).toBeLessThan(60_000)
      await fileOf('half')
      expect(await store.tidy(60_000, never)).toBe(0)
      expect(await store.tidy(-1, never)).toBeGreaterThan(0)
      expect(await readdir(store.incoming)).toEqual([])
      await store.check()
    })
  })
}
