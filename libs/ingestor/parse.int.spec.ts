import { Readable } from 'node:stream'
import type { Format } from '@plumbline/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBench, type Bench } from './spec/bench.spec'

const url = 'https://example.org/page'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench.close())

/** What the parser is told of what an address answers. */
const toldOf = async (name: string, mediaType: string | undefined, format?: Format): Promise<Format | undefined> => {
  let told: Format | undefined
  bench.ports.fetch = () =>
    Promise.resolve({
      name,
      ...(mediaType && { mediaType }),
      url,
      fetchedAt: 1,
      content: Readable.from([Buffer.from('Text.')]),
      close: () => Promise.resolve(),
    })
  bench.ports.parser.parse = (file) => {
    told = file.format
    return Promise.resolve({ markup: 'markdown', parts: [{ text: 'Text.' }] })
  }
  await bench.send({ kind: 'url', url }, format && { format })
  expect(await bench.deliver(bench.jobs[0])).toBe('indexed')
  return told
}

describe('the title that a document has of itself', () => {
  it('is no longer than one that is given, as each passage bears it', async () => {
    bench.ports.parser.parse = () =>
      Promise.resolve({ title: '𝒯'.repeat(100_000), markup: 'markdown', parts: [{ text: 'Text.' }] })
    const { id } = await bench.send('Text.')
    expect(await bench.deliver(bench.jobs[0])).toBe('indexed')
    const title = '𝒯'.repeat(300)
    expect(await bench.passages(id)).toMatchObject([{ title }])
    expect(await bench.view(id)).toMatchObject({ title })
  })
})

describe('what a document says of itself', () => {
  it('can be asked for, and stands behind what was said of it', async () => {
    bench.ports.parser.parse = () =>
      Promise.resolve({ metadata: { author: 'Ann', year: '1' }, markup: 'markdown', parts: [{ text: 'Text.' }] })
    const { id } = await bench.send('Text.', { metadata: { year: '2024' } })
    expect(await bench.deliver(bench.jobs[0])).toBe('indexed')
    const found = (filters: Record<string, string>) =>
      bench.ports.index.passages(
        { tenant: 't', collections: ['main'], filters, access: 'all' },
        id,
        null,
        new AbortController().signal,
      )
    expect(await found({ author: 'Ann', year: '2024' })).toHaveLength(1)
    expect(await found({ year: '1' })).toHaveLength(0)
  })

  it('is shown beside what was said of it, until another version says nothing', async () => {
    const said = { 'ow\u202ener': 'Ann\u001b[31m', year: '1' }
    bench.ports.parser.parse = () => Promise.resolve({ metadata: said, markup: 'markdown', parts: [{ text: 'Text.' }] })
    const told = { name: 'a.md', metadata: { year: '2024' } }
    const { id } = await bench.send('Text.', told)
    await bench.deliver(bench.jobs[0])
    const { metadata, ownMetadata } = (await bench.view(id)) ?? {}
    expect([metadata, ownMetadata?.owner, ownMetadata?.year]).toEqual([
      { year: '2024' },
      expect.stringMatching(/^Ann/),
      '1',
    ])
    expect(JSON.stringify(ownMetadata)).not.toMatch(/\\u001b|\u202e/)
    await bench.send('Another text.', told)
    expect(await bench.view(id)).not.toHaveProperty('ownMetadata')
  })
})

describe('what an address answers', () => {
  it.each(['index.php', 'Node.js', 'README.md', 'page', 'point.md'])(
    'is read as a page where its server says so, though it ends as %s',
    async (name) => {
      expect(await toldOf(name, 'text/html')).toBe('html')
    },
  )

  it.each<[string, string | undefined]>([
    ['report.pdf', 'text/html'],
    ['chart.png', 'application/xhtml+xml'],
    ['index.php', 'text/plain'],
    ['README.md', undefined],
  ])('is told by what it holds and how it is called otherwise: %s as %s', async (name, mediaType) =>
    expect(await toldOf(name, mediaType)).toBeUndefined(),
  )

  it('is read as whoever brought it says', async () => {
    expect(await toldOf('index.php', 'text/html', 'text')).toBe('text')
  })
})
