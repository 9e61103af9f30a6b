import { Unfit } from '@plumbline/ports/document-parser'
import { AppError } from '@plumbline/platform'
import type { DocumentSource, Listed, SourceItem } from '@plumbline/ports/document-source'
import { itemsOf, listAll, textOf } from '@plumbline/ports/document-source.contract'
import { describe, expect, it } from 'vitest'
import { checkedSource } from './checked-source'
import { sourceLimits, type SourceLimits } from './options'

const never = new AbortController().signal
const item = (path: string, size?: number): Listed => ({
  kind: 'item',
  item: { path, version: '1', ...(size !== undefined && { size }) },
})

type Place = Partial<Pick<DocumentSource, 'list' | 'read'>>
const place = ({ list, read }: Place, limits: Partial<SourceLimits> = {}): DocumentSource =>
  checkedSource(
    {
      list: list ?? async function* () {},
      read: read ?? (async () => null),
      close: async () => undefined,
    },
    { ...sourceLimits, ...limits },
  )
const listing = (listed: Listed[], limits: Partial<SourceLimits> = {}): DocumentSource =>
  place(
    {
      list: async function* () {
        yield* listed
      },
    },
    limits,
  )
const hanging = async function* (signal: AbortSignal): AsyncGenerator<Listed> {
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('let go'))))
}
const one = { path: 'a.md', version: '1' } satisfies SourceItem
const filled = async function* (bytes: number): AsyncGenerator<Uint8Array> {
  for (let left = bytes; left > 0; left -= 10) yield new Uint8Array(Math.min(10, left))
}

describe('a list', () => {
  it('cleans paths, and keeps the original path as the key', async () => {
    const all = await listAll(listing([item('a\nb.md'), item('c.md')]))
    expect(itemsOf(all)).toEqual([
      { path: 'a b.md', key: 'a\nb.md', version: '1' },
      { path: 'c.md', version: '1' },
    ])
  })

  it('contains every path once, and reports duplicates as skipped', async () => {
    const all = await listAll(listing([item('a b.md'), item('a\tb.md'), item('a  b.md')]))
    expect(all.map(({ kind }) => kind)).toEqual(['item', 'skipped', 'skipped'])
    expect(all[1]).toMatchObject({ path: 'a b.md', why: expect.stringContaining('same path') as string })
  })

  it('reports unsafe paths as skipped, under a safe name', async () => {
    const all = await listAll(
      listing([item('../../etc/passwd'), item('..'), { kind: 'skipped', path: '../x', why: 'A link.' }]),
    )
    expect(all).toEqual([
      { kind: 'skipped', path: 'etc passwd', why: expect.any(String) as string },
      { kind: 'skipped', path: 'unnamed', why: expect.any(String) as string },
      { kind: 'skipped', path: 'x', why: 'A link.' },
    ])
  })

  it('fails if all files together exceed the size limit', async () => {
    await expect(listAll(listing([item('a', 60), item('b', 60)], { bytes: 100 }))).rejects.toMatchObject({
      code: 'source.too-large',
      retry: 'never',
      words: expect.stringContaining('100 bytes') as string,
    })
  })

  it('fails at its time limit, which does not include the time of the caller', async () => {
    await expect(listAll(place({ list: hanging }, { listMs: 30 }))).rejects.toMatchObject({
      code: 'source.too-slow',
      retry: 'later',
    })
    const paths: string[] = []
    for await (const listed of listing([item('a'), item('b')], { listMs: 200 }).list(never)) {
      paths.push(listed.kind === 'item' ? listed.item.path : '')
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    expect(paths).toEqual(['a', 'b'])
  })

  it('closes the source if the list is not read to its end', async () => {
    let left = false
    const source = place({
      list: async function* () {
        try {
          yield item('a')
          yield item('b')
        } finally {
          left = true
        }
      },
    })
    for await (const listed of source.list(never)) if (listed) break
    expect(left).toBe(true)
  })

  it.each([
    [
      new Unfit('refused-address', 'Not there.'),
      { code: 'source.refused-address', retry: 'never', words: 'Not there.' },
    ],
    [new Unfit('too-large', 'Too much.'), { code: 'source.too-large', retry: 'never' }],
    [new Unfit('unreadable', 'Odd.'), { code: 'source.unreadable', retry: 'never' }],
    [new AppError('fetch.too-slow', 'later'), { code: 'source.too-slow', retry: 'later' }],
    [
      new AppError('fetch.unreachable', 'later', { notBefore: 7 }),
      { code: 'source.unreachable', retry: 'later', notBefore: 7 },
    ],
    [new TypeError('a defect'), { message: 'a defect' }],
  ])('fails in words of sources: %s', async (error, expected) => {
    const failing = async function* (): AsyncGenerator<Listed> {
      throw error
    }
    await expect(listAll(place({ list: failing }))).rejects.toMatchObject(expected)
    await expect(place({ read: () => Promise.reject(error) }).read(one, never)).rejects.toMatchObject(expected)
  })
})

describe('a file', () => {
  it('enforces the size limit, whatever size was announced', async () => {
    const source = place({ read: async () => ({ content: filled(35) }) }, { fileBytes: 30 })
    await expect(textOf(source, one)).rejects.toMatchObject({ code: 'source.too-large' })
    const fitting = place({ read: async () => ({ content: filled(30), mediaType: 'text/plain' }) }, { fileBytes: 30 })
    expect(await textOf(fitting, one)).toHaveLength(30)
    expect(await fitting.read(one, never)).toMatchObject({ mediaType: 'text/plain' })
  })

  it('fails at its time limit and on abort, even while its content is read', async () => {
    const slow = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1)
      yield* hanging(signal) as AsyncIterable<never>
    }
    const source = (readMs: number): DocumentSource =>
      place({ read: async (_, signal) => ({ content: slow(signal) }) }, { readMs })
    await expect(textOf(source(30), one)).rejects.toMatchObject({ code: 'source.too-slow' })
    const stop = new AbortController()
    const found = await source(10_000).read(one, stop.signal)
    const reading = (async () => {
      for await (const piece of found!.content) if (piece) stop.abort(new Error('stop'))
    })()
    await expect(reading).rejects.toThrow('stop')
  })
})
