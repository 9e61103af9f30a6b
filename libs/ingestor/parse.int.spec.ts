import { Readable } from 'node:stream'
import type { Format } from '@plumbline/contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBench, type Bench } from './spec/bench.spec'

const url = 'https://example.org/page'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench.close())

/** Returns the format that the parser receives if a URL returns a file with this name and media type. */
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

describe('the title in a document', () => {
  it('has the same length limit as a given title, because each passage carries it', async () => {
    bench.ports.parser.parse = () =>
      Promise.resolve({ title: '𝒯'.repeat(100_000), markup: 'markdown', parts: [{ text: 'Text.' }] })
    const { id } = await bench.send('Text.')
    expect(await bench.deliver(bench.jobs[0])).toBe('indexed')
    const title = '𝒯'.repeat(300)
    expect(await bench.passages(id)).toMatchObject([{ title }])
    expect(await bench.view(id)).toMatchObject({ title })
  })
})

describe('the metadata in a document', () => {
  it('can be filtered by, but given metadata has priority', async () => {
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

  it('gives its passages their authority, but given metadata has priority', async () => {
    bench.ports.parser.parse = () =>
      Promise.resolve({ metadata: { authority: ' a\n draft ' }, markup: 'markdown', parts: [{ text: 'Text.' }] })
    const { id: own } = await bench.send('Text.', { name: 'own.md' })
    const { id: given } = await bench.send('Text.', { name: 'given.md', metadata: { authority: 'official' } })
    for (const job of bench.jobs) await bench.deliver(job)
    expect(await bench.passages(own)).toMatchObject([{ authority: 'a draft' }])
    expect(await bench.passages(given)).toMatchObject([{ authority: 'official' }])
  })

  it('is shown next to the given metadata, until a version without its own', async () => {
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

describe('the answer of an address', () => {
  it.each(['index.php', 'Node.js', 'README.md', 'page', 'point.md'])(
    'is read as a page if its server says so, although the address ends in %s',
    async (name) => {
      expect(await toldOf(name, 'text/html')).toBe('html')
    },
  )

  it.each<[string, string | undefined]>([
    ['report.pdf', 'text/html'],
    ['chart.png', 'application/xhtml+xml'],
    ['index.php', 'text/plain'],
    ['README.md', undefined],
  ])('is otherwise recognized by its content and name: %s as %s', async (name, mediaType) =>
    expect(await toldOf(name, mediaType)).toBeUndefined(),
  )

  it('is read in the format that its sender gave', async () => {
    expect(await toldOf('index.php', 'text/html', 'text')).toBe('text')
  })
})
