import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBench, tenant, type Bench } from './spec/bench.spec'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench.close())

const texts = async (id: string): Promise<string[]> => (await bench.passages(id)).map(({ text }) => text)
const twoLevels = '# A\n\none\n\n## B\n\ntwo'
const oneLevel = { description: 'x', chunking: { by: 'headings' as const, levels: [1], maxChars: 1_200 } }

describe('a document that is removed while it is on its way', () => {
  it('and brought again before the delivery has cleared up is indexed', async () => {
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

  it('leaves no heading in what everybody reads of its collection', async () => {
    await bench.send('# Public\n\nOne.', { name: 'other' })
    await bench.deliver(bench.jobs[0])
    const { id } = await bench.send('# Secret\n\nTwo.', { name: 'a' })
    const still = bench.standStill('after write')
    const delivery = bench.deliver(bench.jobs[1])
    await still.reached
    await bench.catalog.removeDocument(tenant, id)
    still.goOn()
    expect(await delivery).toBe('gone')
    expect((await bench.catalog.collection(tenant, 'main'))?.description).toBe('other; Public')
  })
})

describe('a delivery that comes late', () => {
  it('describes nothing of what is not for everybody any more', async () => {
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

  it('of the same revision, cut as it was before a re-index, is written over', async () => {
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

  it('has what it put back looked after, should the job be lost', async () => {
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

describe('content that questions find already', () => {
  it('is written anew where another was written over it meanwhile', async () => {
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
  it('while its collection waits to be embedded anew is embedded anew, though its bytes are the same', async () => {
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
