import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SourceError, type DocumentSource, type Listed, type SourceItem } from './document-source'

type ContractLimits = { files?: number; fileBytes?: number }

export type SourceKit = {
  put(path: string, content: string): Promise<void>
  remove(path: string): Promise<void>
  makeFolder(path: string): Promise<void>
  /** Makes every further listing fail. The specs call this function before or during a listing, as `breaks` says. */
  breakDown(): Promise<void>
  mend(): Promise<void>
  breaks: 'before a list' | 'within a list'
  open(limits?: ContractLimits): Promise<DocumentSource>
  close(): Promise<void>
}

const never = new AbortController().signal

const files: Record<string, string> = {
  'readme.md': '# Read me\n',
  'guides/first steps.md': 'Open the lid.\n',
  'guides/deep/er/ünïcode näme 中文.md': 'Öffne den Deckel. 打开盖子\n',
  'guides/deep/empty.txt': '',
  'guides/deep/large.txt': 'x'.repeat(5_000),
}
const paths = Object.keys(files).sort()

export const listAll = async (source: DocumentSource, signal = never): Promise<Listed[]> => {
  const all: Listed[] = []
  for await (const listed of source.list(signal)) all.push(listed)
  return all
}

export const itemsOf = (all: Listed[]): SourceItem[] =>
  all.flatMap((listed) => (listed.kind === 'item' ? [listed.item] : [])).sort((a, b) => (a.path < b.path ? -1 : 1))

export const textOf = async (source: DocumentSource, item: SourceItem, signal = never): Promise<string | null> => {
  const found = await source.read(item, signal)
  return found && (await buffer(found.content)).toString('utf8')
}

const versions = (items: SourceItem[]): Record<string, string> =>
  Object.fromEntries(items.map(({ path, version }) => [path, version]))

export const documentSourceContract = (label: string, start: () => Promise<SourceKit>): void => {
  describe(`document source: ${label}`, () => {
    let kit: SourceKit
    const opened: DocumentSource[] = []
    const open = async (limits?: ContractLimits): Promise<DocumentSource> => {
      const source = await kit.open(limits)
      opened.push(source)
      return source
    }
    beforeAll(async () => {
      kit = await start()
      for (const [path, content] of Object.entries(files)) await kit.put(path, content)
      await kit.makeFolder('nothing')
    })
    afterAll(async () => {
      await Promise.all(opened.map((source) => source.close()))
      await kit.close()
    })

    it('lists every file by its path, and nothing for an empty folder', async () => {
      const all = await listAll(await open())
      expect(all.filter(({ kind }) => kind !== 'item')).toEqual([])
      expect(itemsOf(all).map(({ path }) => path)).toEqual(paths)
    })

    it('reads a listed file completely', async () => {
      const source = await open()
      const read: Record<string, string | null> = {}
      for (const item of itemsOf(await listAll(source))) read[item.path] = await textOf(source, item)
      expect(read).toEqual(files)
    })

    it('reads from the fields of an item alone, as after storing it', async () => {
      const items = itemsOf(await listAll(await open()))
      const stored = JSON.parse(JSON.stringify(items.find(({ path }) => path.includes('ünïcode')))) as SourceItem
      expect(await textOf(await open(), stored)).toBe(files[stored.path])
    })

    it('keeps the version of an unchanged file, and changes that of a changed one', async () => {
      const before = versions(itemsOf(await listAll(await open())))
      expect(versions(itemsOf(await listAll(await open())))).toEqual(before)
      await kit.put('readme.md', '# Read this\n')
      const source = await open()
      const items = itemsOf(await listAll(source))
      const after = versions(items)
      expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual(['readme.md'])
      expect(
        await textOf(
          source,
          items.find(({ path }) => path === 'readme.md')!,
        ),
      ).toBe('# Read this\n')
    })

    it('lists changes since the last list if it is kept open', async () => {
      const source = await open()
      const before = versions(itemsOf(await listAll(source)))
      await kit.put('readme.md', '# Read that\n')
      await kit.put('new.md', 'new')
      const after = versions(itemsOf(await listAll(source)))
      expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual(['new.md', 'readme.md'])
      await kit.remove('new.md')
      expect(versions(itemsOf(await listAll(source)))).not.toHaveProperty('new.md')
    })

    it('returns null for a file that was removed after it was listed', async () => {
      await kit.put('guides/passing.md', 'soon gone')
      const items = itemsOf(await listAll(await open()))
      const passing = items.find(({ path }) => path === 'guides/passing.md')!
      await kit.remove('guides/passing.md')
      const source = await open()
      expect(await source.read(passing, never)).toBeNull()
      expect(itemsOf(await listAll(source)).map(({ path }) => path)).toEqual(paths)
    })

    it('reads nothing that it does not list', async () => {
      const source = await open()
      const [listed] = itemsOf(await listAll(source))
      const elsewhere = ['../../../../../../etc/passwd', '/etc/passwd', 'guides/../../../../../etc/passwd']
      for (const path of [...elsewhere, 'guides', '', '\0', '.git/config'])
        for (const item of [
          { ...listed!, path, url: undefined },
          { ...listed!, key: path, url: path },
        ]) {
          const read = await textOf(source, item as SourceItem).catch((error: unknown) => {
            expect(error).toBeInstanceOf(SourceError)
            return null
          })
          expect({ path, read }).toEqual({ path, read: null })
        }
    })

    it('stops before a list, within it, and before a file', async () => {
      const source = await open()
      const [first] = itemsOf(await listAll(source))
      const stopped = AbortSignal.abort(new Error('stop'))
      await expect(listAll(source, stopped)).rejects.toThrow('stop')
      await expect(source.read(first!, stopped)).rejects.toThrow('stop')
      const stop = new AbortController()
      const within = async (): Promise<void> => {
        for await (const listed of source.list(stop.signal)) if (listed) stop.abort(new Error('stop'))
      }
      await expect(within()).rejects.toThrow('stop')
    })

    it('fails with a readable error if it cannot list everything, and recovers later', async () => {
      const source = await open()
      if (kit.breaks === 'before a list') await kit.breakDown()
      const listing = async (): Promise<void> => {
        const listing = source.list(never)[Symbol.asyncIterator]()
        const { done } = await listing.next()
        if (kit.breaks === 'within a list') await kit.breakDown()
        for (let isDone = done; !isDone;) isDone = (await listing.next()).done
      }
      const fault: unknown = await listing().then(
        () => 'it was listed as if whole',
        (error: unknown) => error,
      )
      await kit.mend()
      expect(fault).toBeInstanceOf(SourceError)
      expect((fault as SourceError).words).toMatch(/^\S.*\.$/)
      expect((fault as SourceError).code).toMatch(/^source\./)
      expect(itemsOf(await listAll(source)).map(({ path }) => path)).toEqual(paths)
    })

    it('refuses to list more files than the limit', async () => {
      await expect(listAll(await open({ files: paths.length - 1 }))).rejects.toMatchObject({ code: 'source.too-large' })
      expect(await listAll(await open({ files: paths.length }))).toHaveLength(paths.length)
    })

    it('skips a file that exceeds the size limit', async () => {
      const source = await open({ fileBytes: 4_000 })
      const all = await listAll(source)
      const large = itemsOf(all).find(({ path }) => path.endsWith('large.txt'))
      if (large) await expect(textOf(source, large)).rejects.toMatchObject({ code: 'source.too-large' })
      else
        expect(all).toContainEqual({
          kind: 'skipped',
          path: 'guides/deep/large.txt',
          why: expect.any(String) as string,
        })
      expect(itemsOf(all).filter((item) => item !== large)).toHaveLength(paths.length - 1)
    })
  })
}
