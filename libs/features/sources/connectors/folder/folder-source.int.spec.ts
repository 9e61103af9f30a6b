import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DocumentSource } from '@plumbline/ports/document-source'
import { documentSourceContract, itemsOf, listAll, textOf } from '@plumbline/ports/document-source.contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSource } from '../open-source'

const put = async (file: string, content: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

documentSourceContract('folder', async () => {
  const top = await mkdtemp(join(tmpdir(), 'folder-source-'))
  const path = join(top, 'documents')
  await mkdir(path)
  return {
    put: (name, content) => put(join(path, name), content),
    remove: (name) => rm(join(path, name)),
    makeFolder: async (name) => void (await mkdir(join(path, name))),
    breaks: 'within a list',
    breakDown: () => rename(path, `${path}-away`),
    mend: () => rename(`${path}-away`, path),
    open: (limits = {}) => openSource({ kind: 'folder', path }, { folders: [top], limits }),
    close: () => rm(top, { recursive: true }),
  }
})

describe('a folder', () => {
  const never = new AbortController().signal
  let top: string
  let docs: string
  const open = (path = docs, folders = [join(top, 'allowed')]): Promise<DocumentSource> =>
    openSource({ kind: 'folder', path }, { folders })
  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), 'folder-source-'))
    docs = join(top, 'allowed', 'docs')
    await put(join(docs, 'a.md'), 'a')
    await put(join(top, 'secret.md'), 'secret')
    await put(join(top, 'allowed', 'beside.md'), 'beside')
    await put(join(top, 'allowed-too', 'x.md'), 'x')
  })
  afterAll(() => rm(top, { recursive: true }))

  it('lists its files, and reports links to outside and special files as skipped', async () => {
    await put(join(docs, '.hidden/x.md'), 'x')
    await put(join(docs, 'node_modules/x.md'), 'x')
    await put(join(docs, 'line\nbreak \u202etxt.md'), 'odd')
    await symlink(join(docs, 'a.md'), join(docs, 'same.md'))
    await symlink(join(top, 'secret.md'), join(docs, 'out.md'))
    await symlink('../../secret.md', join(docs, 'out-relative.md'))
    await symlink('../beside.md', join(docs, 'out-beside.md'))
    await symlink(top, join(docs, 'up'))
    await symlink(docs, join(docs, 'round'))
    await symlink('nowhere', join(docs, 'broken.md'))
    execFileSync('mkfifo', [join(docs, 'pipe.md')])
    const source = await open()
    const all = await listAll(source)
    const items = itemsOf(all)
    expect(items.map(({ path }) => path)).toEqual(['a.md', 'line break txt.md', 'same.md'])
    const skipped = all.flatMap((listed) => (listed.kind === 'skipped' ? [`${listed.path}: ${listed.why}`] : []))
    expect(skipped).toEqual([
      'out-beside.md: It is a link that leads out of the folder.',
      'out-relative.md: It is a link that leads out of the folder.',
      'out.md: It is a link that leads out of the folder.',
      'pipe.md: It is not a file but a pipe, a socket or a device.',
      'round: It is a link to a folder, which is not followed.',
      'up: It is a link that leads out of the folder.',
    ])
    expect(await textOf(source, items[1]!)).toBe('odd')
    for (const path of ['out.md', 'out-relative.md', 'up/secret.md', 'pipe.md', 'round', 'broken.md', '.hidden/x.md'])
      expect(await source.read({ path, version: '1' }, never)).toBeNull()
  })

  it('does not follow a link that took the place of a file before it was read', async () => {
    const source = await open()
    await put(join(docs, 'turned.md'), 'turned')
    const found = await source.read({ path: 'turned.md', version: '1' }, never)
    await rm(join(docs, 'turned.md'))
    await symlink(join(top, 'secret.md'), join(docs, 'turned.md'))
    const reading = (async () => {
      for await (const piece of found!.content) return Buffer.from(piece).toString()
      return 'nothing'
    })()
    await expect(reading).rejects.toMatchObject({ code: 'source.not-allowed' })
    await rm(join(docs, 'turned.md'))
  })

  it('outside the allowed folders is refused, without revealing whether it exists', async () => {
    await symlink(top, join(top, 'allowed', 'way-out'))
    const refused = { code: 'source.not-allowed', retry: 'never' }
    const words = new Set<string>()
    for (const path of [
      top,
      join(top, 'allowed-too'),
      join(docs, '../../allowed-too'),
      '/etc',
      '/nowhere-at-all',
      join(top, 'allowed/way-out'),
    ]) {
      const fault = await listAll(await open(path)).catch((error: { words: string }) => error)
      expect({ path, fault }).toMatchObject({ path, fault: refused })
      words.add((fault as { words: string }).words)
    }
    expect(words.size).toBe(1)
    await expect(listAll(await open(docs, []))).rejects.toMatchObject(refused)
    await expect(listAll(await open('docs'))).rejects.toMatchObject(refused)
  })

  it('reports a missing folder, or a file instead of one', async () => {
    for (const path of [join(docs, 'nothing'), join(docs, 'a.md')])
      await expect(listAll(await open(path))).rejects.toMatchObject({ code: 'source.not-found' })
  })

  it('may be reached by a link that the operator named', async () => {
    await symlink(docs, join(top, 'named'))
    const all = itemsOf(await listAll(await open(join(top, 'named'), [join(top, 'named')])))
    expect(all.map(({ path }) => path)).toContain('a.md')
  })

  it('detects a changed file that has the same size and modification time', async () => {
    const file = join(docs, 'a.md')
    const before = itemsOf(await listAll(await open()))[0]!.version
    const { atime, mtime } = await stat(file)
    await writeFile(file, 'b')
    await utimes(file, atime, mtime)
    expect(itemsOf(await listAll(await open()))[0]!.version).not.toBe(before)
  })

  it('that was replaced during the listing fails the listing, which is then repeated', async () => {
    const path = join(top, 'allowed', 'volume')
    await put(join(path, 'a.md'), 'a')
    await put(join(path, 'b/c.md'), 'c')
    const listing = async (): Promise<void> => {
      for await (const listed of (await open(path)).list(never)) {
        expect(listed.kind).toBe('item')
        await rename(path, `${path}-away`).catch(() => undefined)
        await mkdir(path, { recursive: true })
      }
    }
    await expect(listing()).rejects.toMatchObject({ code: 'source.unreachable', retry: 'later' })
  })
})
