import { AppError } from '@plumbline/platform'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embedBatchSize } from './index-passages'
import { mostCrashes, mostErrors } from './ingest-document'
import { openBench, tenant, type Bench, type Point } from './spec/bench.spec'

/** Each section becomes one passage. This number of passages is embedded in three batches. */
const sections = 2 * embedBatchSize + 5
const long = (word: string): string =>
  Array.from({ length: sections }, (_, n) => `# ${word} ${n}\n\nWhat ${word} says in its place ${n}.`).join('\n\n')
const url = 'https://example.org/page'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench.close())

const texts = async (id: string): Promise<string[]> => (await bench.passages(id)).map(({ text }) => text)

describe('a document', () => {
  it('is parsed, chunked, embedded and indexed, and reports its progress', async () => {
    const { id, version } = await bench.send('# Quartz\n\nHard.\n\n# Talc\n\nSoft.', {
      title: 'Stones',
      name: 'stones.md',
      date: '2024-06-30',
      supersedes: ['d1'],
      metadata: { year: '2024', authority: 'official' },
    })
    expect(await bench.deliver(bench.jobs[0])).toBe('indexed')
    expect(await bench.view(id)).toMatchObject({
      status: 'indexed',
      version,
      progress: { passages: 2, percent: 100, pages: 1, ofPages: 1 },
    })
    expect(await bench.passages(id)).toMatchObject([
      {
        title: 'Stones',
        file: 'stones.md',
        version,
        date: '2024-06-30',
        authority: 'official',
        supersedes: ['d1'],
        headingPath: ['Quartz'],
        page: 1,
      },
      { headingPath: ['Talc'] },
    ])
    expect((await bench.catalog.collection(tenant, 'main'))?.description).toContain('Quartz')
    expect(bench.counts).toMatchObject({ parse: 1, embed: 1, write: 1, charged: 1 })
  })

  it('without headings is described by its first sentence, or by the columns of its table', async () => {
    await bench.send('=====\nThe ferry   sails at noon. It carries cars.', { name: 'ferry' })
    await bench.send('| island | length in km |\n|---|---|\n| Skerry | 12 |', { name: 'islands' })
    for (const job of bench.jobs) await bench.deliver(job)
    const { description } = (await bench.catalog.collection(tenant, 'main')) ?? {}
    expect(description).toContain('ferry: The ferry sails at noon.')
    expect(description).toContain('islands: island, length in km')
  })

  it('is not indexed again by a second delivery', async () => {
    await bench.send('# Quartz\n\nHard.')
    await bench.deliver(bench.jobs[0])
    expect(await bench.deliver(bench.jobs[0], true)).toBe('closed')
    expect(bench.counts.write).toBe(1)
  })

  const steps: [Point, number, Partial<Bench['counts']>][] = [
    ['before fetch', 0, { fetch: 1, parse: 1, texts: sections, write: 1 }],
    ['after fetch', 0, { fetch: 2, parse: 1, texts: sections, write: 1 }],
    ['before parse', 0, { fetch: 1, parse: 1, texts: sections, write: 1 }],
    ['after parse', 0, { fetch: 1, parse: 2, texts: sections, write: 1 }],
    ['before embed', 1, { fetch: 1, parse: 1, texts: sections, write: 1 }],
    ['after embed', 1, { fetch: 1, parse: 1, texts: sections + embedBatchSize, write: 1 }],
    ['before write', 0, { fetch: 1, parse: 1, texts: sections, write: 1 }],
    ['after write', 0, { fetch: 1, parse: 1, texts: sections, write: 2 }],
  ]
  it.each(steps)('continues where its process was killed: %s', async (point, after, counts) => {
    bench.pages.set(url, long('granite'))
    const { id } = await bench.send({ kind: 'url', url })
    const still = bench.standStill(point, after)
    void bench.deliver(bench.jobs[0])
    await still.reached
    expect(await bench.deliver(bench.jobs[0], true)).toBe('indexed')
    expect(bench.counts).toMatchObject(counts)
    expect(new Set((await bench.passages(id)).map((passage) => passage.id)).size).toBe(sections)
  })

  it('is indexed once, by the newer of two deliveries at the same time', async () => {
    const { id } = await bench.send(long('granite'))
    const still = bench.standStill('after embed', 1)
    const first = bench.deliver(bench.jobs[0])
    await still.reached
    expect(await bench.deliver(bench.jobs[0])).toBe('indexed')
    still.goOn()
    expect(await first).toBe('stale')
    expect(await bench.view(id)).toMatchObject({ status: 'indexed', progress: { passages: sections } })
    expect(await texts(id)).toHaveLength(sections)
  })

  it.each(['before parse', 'after embed', 'before write', 'after write'] as Point[])(
    'leaves nothing if it is removed in the middle: %s',
    async (point) => {
      const { id } = await bench.send(long('granite'))
      const still = bench.standStill(point)
      const delivery = bench.deliver(bench.jobs[0])
      await still.reached
      await bench.memory.remove(tenant, id, AbortSignal.timeout(1_000))
      await bench.catalog.removeDocument(tenant, id)
      await bench.files.remove({ tenant, id })
      still.goOn()
      // The delivery may fail because its files are gone. Then the job is delivered again.
      const outcome = await delivery.catch(() => bench.deliver(bench.jobs[0], true))
      expect(outcome).toBe('gone')
      expect(await texts(id)).toEqual([])
      expect(await bench.view(id)).toBeNull()
    },
  )

  it('leaves nothing if it is removed, its delivery is killed after writing, and the job is delivered again', async () => {
    const { id } = await bench.send('Granite.')
    const still = bench.standStill('before write')
    const delivery = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.catalog.removeDocument(tenant, id)
    const written = bench.standStill('after write')
    still.goOn()
    await written.reached
    expect(await texts(id)).toHaveLength(1)
    expect(await bench.deliver(bench.jobs[0], true)).toBe('gone')
    expect(await texts(id)).toEqual([])
    written.goOn()
    expect(await delivery).toBe('gone')
  })
})

describe('a new version', () => {
  it('replaces the old one in one step, and the old files are removed', async () => {
    const { id } = await bench.send('# A\n\nOld.', { name: 'a' })
    await bench.deliver(bench.jobs[0])
    expect((await bench.send('# A\n\nNew.', { name: 'a' })).taken).toBe('replaces')
    const still = bench.standStill('before write')
    const delivery = bench.deliver(bench.jobs[1])
    await still.reached
    expect(await texts(id)).toEqual(['Old.'])
    still.goOn()
    expect(await delivery).toBe('indexed')
    expect(await texts(id)).toEqual(['New.'])
    expect(await bench.files.original({ tenant, id, revision: bench.jobs[0]?.revision ?? '' })).toBeNull()
    expect(await bench.files.parsed({ tenant, id, revision: bench.jobs[1]?.revision ?? '' })).toMatchObject({
      parts: [{ text: '# A\n\nNew.' }],
    })
  })

  it('that fails leaves the old one in place, reports that, and can be retried', async () => {
    const { id, version } = await bench.send('Old.', { name: 'a' })
    await bench.deliver(bench.jobs[0])
    await bench.send('LOCKED', { name: 'a' })
    expect(await bench.deliver(bench.jobs[1])).toBe('failed')
    expect(await bench.view(id)).toMatchObject({
      status: 'failed',
      task: 'parse',
      served: version,
      problem: { code: 'document.encrypted', page: 3 },
      error: 'It is locked. Unlock it and send it again. Questions still find the previous version.',
    })
    expect(await texts(id)).toEqual(['Old.'])
    const retried = await bench.catalog.retry(tenant, id)
    expect(await bench.deliver(retried ?? undefined)).toBe('failed')
    expect(bench.counts.parse).toBe(3)
  })

  it('ends the deliveries of earlier versions', async () => {
    const { id } = await bench.send(long('granite'), { name: 'a' })
    const still = bench.standStill('after embed')
    const first = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.send('New.', { name: 'a' })
    expect(await bench.deliver(bench.jobs[1])).toBe('indexed')
    still.goOn()
    expect(await first).toBe('stale')
    expect(await texts(id)).toEqual(['New.'])
  })

  it.each([
    ['and reports it', false],
    ['and was killed before it could report it', true],
  ])('is served in the end although an older delivery wrote after it %s', async (_, killed) => {
    const { id } = await bench.send('Old.', { name: 'a' })
    const still = bench.standStill('before write')
    const first = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.send('New.', { name: 'a' })
    await bench.deliver(bench.jobs[1])
    const written = bench.standStill('after write')
    still.goOn()
    await written.reached
    expect(await texts(id)).toEqual(['Old.'])
    if (!killed) written.goOn()
    expect(killed ? await bench.deliver(bench.jobs[0], true) : await first).toBe('stale')
    expect(bench.jobs[2]).toEqual({ ...bench.jobs[1], short: undefined })
    expect(await bench.deliver(bench.jobs[2])).toBe('indexed')
    expect(await texts(id)).toEqual(['New.'])
  })

  it('of an address is not indexed again if the bytes are the same', async () => {
    bench.pages.set(url, '# Page\n\nSame.')
    const { id } = await bench.send({ kind: 'url', url })
    await bench.deliver(bench.jobs[0])
    expect(await bench.passages(id)).toMatchObject([{ url, text: 'Same.' }])
    await bench.send({ kind: 'url', url })
    expect(await bench.deliver(bench.jobs[1])).toBe('indexed')
    expect(bench.counts).toMatchObject({ fetch: 2, embed: 1, write: 1 })
    bench.pages.set(url, '# Page\n\nOther.')
    await bench.send({ kind: 'url', url })
    await bench.deliver(bench.jobs[2])
    expect(await texts(id)).toEqual(['Other.'])
  })
})

describe('a failure', () => {
  it('that is temporary never makes the document fail', async () => {
    const { id } = await bench.send('Granite.')
    bench.faults.embed = new AppError('embedder.down', 'later')
    for (let n = 0; n < 3 * mostErrors; n += 1)
      await expect(bench.deliver(bench.jobs[0], n > 0)).rejects.toMatchObject({ code: 'embedder.down' })
    delete bench.faults.embed
    expect(await bench.deliver(bench.jobs[0], true)).toBe('indexed')
    expect(await bench.view(id)).toMatchObject({ status: 'indexed' })
    expect(bench.counts.parse).toBe(1)
  })

  it('that repeats makes the document fail with an error message', async () => {
    const { id } = await bench.send('Granite.')
    bench.faults.parse = new Error('broken')
    for (let n = 1; n < mostErrors; n += 1) await expect(bench.deliver(bench.jobs[0], n > 1)).rejects.toThrow('broken')
    expect(await bench.deliver(bench.jobs[0], true)).toBe('failed')
    expect(await bench.view(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('after several tries') as string,
      problem: { code: 'document.failed' },
    })
  })

  it('of an address that does not answer is reported after the last try', async () => {
    const { id } = await bench.send({ kind: 'url', url })
    bench.faults.fetch = new AppError('fetch.unreachable', 'later')
    for (let n = 1; n < mostErrors; n += 1)
      await expect(bench.deliver(bench.jobs[0])).rejects.toMatchObject({ code: 'fetch.unreachable' })
    expect(await bench.deliver(bench.jobs[0])).toBe('failed')
    expect(await bench.view(id)).toMatchObject({ error: expect.stringContaining('did not answer') as string })
  })

  it('of an address that answers with an error is reported with that error', async () => {
    const { id } = await bench.send({ kind: 'url', url })
    bench.faults.fetch = new AppError('fetch.unavailable', 'later', { cause: new Error('example.org answered 503') })
    for (let n = 1; n < mostErrors; n += 1)
      await expect(bench.deliver(bench.jobs[0])).rejects.toMatchObject({ code: 'fetch.unavailable' })
    expect(await bench.deliver(bench.jobs[0])).toBe('failed')
    expect((await bench.view(id))?.error).toBe(
      'example.org answered 503 instead of a document after several tries. Retry later, or upload the document as a file.',
    )
  })

  it('that crashes the process makes the document fail, unless it gets further each time', async () => {
    const killed = async (point: Point): Promise<void> => {
      const still = bench.standStill(point)
      void bench.deliver(bench.jobs[0], true)
      await still.reached
    }
    const { id } = await bench.send(long('granite'))
    for (let n = 0; n < mostCrashes; n += 1) await killed('before parse')
    expect(await bench.deliver(bench.jobs[0], true)).toBe('failed')
    expect(await bench.view(id)).toMatchObject({ problem: { code: 'document.crashed' } })
    await bench.catalog.retry(tenant, id)
    await killed('after parse')
    for (let n = 0; n < mostCrashes - 2; n += 1) await killed('before embed')
    expect(await bench.deliver(bench.jobs[0], true)).toBe('indexed')
  })

  it.each([
    ['# Only\n\n## Headings\n', 'contains only headings'],
    ['   ', 'no text'],
  ])('of a document without text is reported: %j', async (text, said) => {
    const { id } = await bench.send(text)
    expect(await bench.deliver(bench.jobs[0])).toBe('failed')
    expect(await bench.view(id)).toMatchObject({
      error: expect.stringContaining(said) as string,
      problem: { code: 'document.no-text' },
    })
  })

  it('of lost files is reported', async () => {
    const { id } = await bench.send('Granite.')
    await bench.files.remove({ tenant, id })
    expect(await bench.deliver(bench.jobs[0])).toBe('failed')
    expect(await bench.view(id)).toMatchObject({
      error: expect.stringContaining('Upload the document again') as string,
    })
  })
})

describe('a collection', () => {
  it('rejects documents for another embedder until it is re-indexed from the parsed documents', async () => {
    bench.use('a model')
    const { id: old } = await bench.send('Granite.', { name: 'old' })
    await bench.deliver(bench.jobs[0])
    bench.use('another model')
    const { id } = await bench.send('Talc.', { name: 'new' })
    expect(await bench.deliver(bench.jobs[1])).toBe('failed')
    expect(await bench.view(id)).toMatchObject({
      problem: { code: 'collection.other-embedder' },
      error: expect.stringContaining('Re-index') as string,
    })
    for await (const job of bench.catalog.reindex(tenant, 'main')) expect(await bench.deliver(job)).toBe('indexed')
    expect(await bench.catalog.collection(tenant, 'main')).toMatchObject({ embedder: 'another model' })
    expect([await texts(old), await texts(id)]).toEqual([['Granite.'], ['Talc.']])
    expect(bench.counts.parse).toBe(2)
  })

  it('that is re-indexed chunks its documents by its current settings', async () => {
    const { id } = await bench.send('# A\n\none\n\n## B\n\ntwo')
    await bench.deliver(bench.jobs[0])
    await bench.catalog.putCollection(tenant, 'main', {
      description: 'x',
      chunking: { by: 'headings', levels: [1], maxChars: 1_200 },
    })
    expect(await texts(id)).toHaveLength(2)
    for await (const job of bench.catalog.reindex(tenant, 'main')) await bench.deliver(job)
    expect(await texts(id)).toHaveLength(1)
    expect((await bench.passages(id))[0]?.version).toBe((await bench.view(id))?.version)
  })

  it('that is re-indexed while a document is being indexed indexes that document again', async () => {
    const { id } = await bench.send('# A\n\none\n\n## B\n\ntwo')
    const still = bench.standStill('before write')
    const delivery = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.catalog.putCollection(tenant, 'main', {
      description: 'x',
      chunking: { by: 'headings', levels: [1], maxChars: 1_200 },
    })
    for await (const job of bench.catalog.reindex(tenant, 'main')) expect(job.documentId).toBe(id)
    still.goOn()
    expect(await delivery).toBe('indexed')
    expect(await texts(id)).toHaveLength(1)
  })
})
