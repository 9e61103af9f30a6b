import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBench, tenant, type Bench } from './spec/bench.spec'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench.close())

const texts = async (id: string): Promise<string[]> => (await bench.passages(id)).map(({ text }) => text)
const twoLevels = '# A\n\none\n\n## B\n\ntwo'
const oneLevel = { description: 'x', chunking: { by: 'headings' as const, levels: [1], maxChars: 1_200 } }

describe('a document that is removed while it is being indexed', () => {
  it('is indexed if it is sent again before the delivery has cleaned up', async () => {
    const { id } = await bench.send('Old.', { name: 'a' })
    const still = bench.standStill('after write')
    const delivery = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.catalog.removeDocument(tenant, id)
    bench.ports.index.remove = async (...removed) => {
      await bench.send('New.', { name: 'a' })
      await bench.memory.remove(...removed)
    }
    still.goOn()
    expect(await delivery).toBe('gone')
    expect(await bench.deliver(bench.jobs[1])).toBe('indexed')
    expect(await texts(id)).toEqual(['New.'])
  })

  it('leaves no heading in the description of its collection', async () => {
    await bench.send('# Public\n\nOne.', { name: 'other' })
    await bench.deliver(bench.jobs[0])
    const { id } = await bench.send('# Secret\n\nTwo.', { name: 'a' })
    const still = bench.standStill('after write')
    const delivery = bench.deliver(bench.jobs[1])
    await still.reached
    await bench.catalog.removeDocument(tenant, id)
    still.goOn()
    expect(await delivery).toBe('gone')
    expect((await bench.catalog.collection(tenant, 'main'))?.description).toBe('other: Public')
  })
})

describe('a late delivery', () => {
  it('adds nothing to the description if the document is no longer public', async () => {
    await bench.send('# Open\n\nOld.', { name: 'a' })
    const still = bench.standStill('after write')
    const late = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.send('# Closed\n\nNew.', { name: 'a', access: ['hr'] })
    await bench.deliver(bench.jobs[1])
    still.goOn()
    expect(await late).toBe('stale')
    expect(await bench.deliver(bench.jobs[2])).toBe('indexed')
    expect((await bench.catalog.collection(tenant, 'main'))?.description).toBe('The collection main')
  })

  it('is overwritten if it wrote chunks from before a re-index', async () => {
    const { id } = await bench.send(twoLevels)
    const still = bench.standStill('before write')
    const late = bench.deliver(bench.jobs[0])
    await still.reached
    expect(await bench.deliver(bench.jobs[0], true)).toBe('indexed')
    await bench.catalog.putCollection(tenant, 'main', oneLevel)
    for await (const job of bench.catalog.reindex(tenant, 'main')) expect(await bench.deliver(job)).toBe('indexed')
    expect(await texts(id)).toHaveLength(1)
    still.goOn()
    expect(await late).toBe('stale')
    expect(await texts(id)).toHaveLength(2)
    expect(await bench.deliver(bench.jobs[1])).toBe('indexed')
    expect(await texts(id)).toHaveLength(1)
  })

  it('leaves a repair job that maintenance can add again if it is lost', async () => {
    const { id } = await bench.send('Old.', { name: 'a' })
    const still = bench.standStill('before write')
    const late = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.send('New.', { name: 'a' })
    await bench.deliver(bench.jobs[1])
    expect(await bench.redis.zscore('documents:open', id)).toBeNull()
    still.goOn()
    expect(await late).toBe('stale')
    await bench.redis.zadd('documents:open', 'XX', 1, id)
    expect((await bench.ports.catalog.takeDue(10, 60_000)).ids).toEqual([id])
    expect(await bench.ports.catalog.jobOf(id)).toEqual({ ...bench.jobs[1], short: undefined })
  })
})

describe('content that is served already', () => {
  it('is written again if other content has overwritten it meanwhile', async () => {
    const { id } = await bench.send('Old.', { name: 'a' })
    await bench.deliver(bench.jobs[0])
    await bench.send('Newer.', { name: 'a' })
    const still = bench.standStill('before write')
    const late = bench.deliver(bench.jobs[1])
    await still.reached
    expect((await bench.send('Old.', { name: 'a' })).taken).toBe('replaces')
    const parsed = bench.standStill('after parse')
    const newest = bench.deliver(bench.jobs[2])
    await parsed.reached
    still.goOn()
    expect(await late).toBe('stale')
    expect(await texts(id)).toEqual(['Newer.'])
    parsed.goOn()
    expect(await newest).toBe('indexed')
    expect(await texts(id)).toEqual(['Old.'])
  })
})

describe('an address that is sent again', () => {
  it('is embedded again while its collection waits for that, although its bytes are the same', async () => {
    const url = 'https://example.org/page'
    bench.pages.set(url, 'Granite.')
    await bench.send({ kind: 'url', url })
    await bench.deliver(bench.jobs[0])
    bench.use('another model')
    for await (const job of bench.catalog.reindex(tenant, 'main')) expect(job.revision).toBe(bench.jobs[0]?.revision)
    await bench.send({ kind: 'url', url })
    expect(await bench.deliver(bench.jobs[1])).toBe('indexed')
    expect(bench.counts).toMatchObject({ fetch: 2, embed: 2, write: 2 })
    expect(await bench.catalog.collection(tenant, 'main')).toMatchObject({ embedder: 'another model' })
  })
})
