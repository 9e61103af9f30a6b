import { gzipSync } from 'node:zlib'
import { createTar } from 'nanotar'
import { describe, expect, it } from 'vitest'
import { readFile } from '../read-format'
import { entry, swollen, zip, type Entry } from '../spec/sample-office'

const free = { loaded: <T>(load: () => Promise<T>) => load(), allow: () => undefined }
const read = (bytes: Uint8Array, name = 'a.zip') => readFile({ bytes, name }, free)
const textOf = async (bytes: Uint8Array, name?: string) =>
  (await read(bytes, name)).parts.map(({ text }) => text).join('\n\n')
const reason = (bytes: Uint8Array, name?: string) =>
  read(bytes, name).then(
    () => 'read',
    ({ reason: why }: { reason: string }) => why,
  )
const files = [entry('b/c.csv', 'place,pue\nTaiwan,1.12\n'), entry('a.md', '# Title\n\n```\n# code\n```\n\ntext')]
const together =
  '# a.md\n\n## Title\n\n```\n# code\n```\n\ntext\n\n# b/c.csv\n\n| place | pue |\n| --- | --- |\n| Taiwan | 1.12 |'
const tar = (): Uint8Array =>
  createTar([
    { name: 'b/c.csv', data: 'place,pue\nTaiwan,1.12\n' },
    { name: 'a.md', data: '# Title\n\n```\n# code\n```\n\ntext' },
  ])

describe('an archive', () => {
  it('is one document, each file under its path', async () => {
    expect(await textOf(zip(files))).toBe(together)
    expect(await textOf(tar(), 'a.tar')).toBe(together)
    expect(await textOf(gzipSync(tar()), 'a.tar.gz')).toBe(together)
    expect(await textOf(gzipSync('place,pue\nTaiwan,1.12\n'), 'c.csv.gz')).toContain('# c.csv\n\n| place | pue |')
  })

  it('names each file that was not read, and passes over what systems put there', async () => {
    const { parts, notes } = await read(
      zip([
        ...files,
        entry('__MACOSX/a.md', 'x'),
        entry('film.mp4', Buffer.from('\0\0\0\x18ftypmp42')),
        entry('empty.md', ''),
      ]),
    )
    expect(parts).toHaveLength(2)
    expect(notes).toEqual([expect.stringContaining('empty.md'), expect.stringContaining('film.mp4')])
  })

  it('is refused with a hint if nothing in it is readable, or its end is missing', async () => {
    expect(await reason(zip([entry('film.mp4', Buffer.from('\0\0\0\x18ftypmp42'))]))).toBe('no-text')
    expect(await reason(zip(files).subarray(0, 80))).toBe('truncated')
    expect(await reason(gzipSync(tar()).subarray(0, 60), 'a.tgz')).toBe('truncated')
    expect(await reason(tar().subarray(0, 600), 'a.tar')).toBe('truncated')
    expect(await reason(zip(files), 'a.pdf')).toBe('mislabelled')
  })

  it('is refused where it means harm', async () => {
    const within = (inner: Buffer, deep: number): Buffer =>
      deep === 0 ? inner : within(zip([entry('in.zip', inner)]), deep - 1)
    const bomb: Entry = { name: 'a.txt', packed: swollen(300), says: 300_000_000 }
    expect(await reason(zip([entry('../../etc/x.md', 'x')]))).toBe('bomb')
    expect(await reason(zip([bomb]))).toBe('bomb')
    expect(await reason(zip([{ ...bomb, says: 10 }]))).toBe('bomb')
    expect(await reason(gzipSync(Buffer.alloc(50_000_000)), 'a.gz')).toBe('bomb')
    expect(await reason(within(zip(files), 2))).toBe('read')
    expect(await reason(within(zip(files), 3))).toBe('bomb')
  })
})
