import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { openQueue } from '@plumbline/adapters/bullmq/queues'
import { silent } from '@plumbline/platform'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBench, tenant, type Bench } from './spec/bench.spec'
import { healJobs, maintenanceLimits, renewTerms } from './maintenance'

let bench: Bench
let queue: ReturnType<typeof openIngestQueue>
let jobs: ReturnType<typeof openQueue>
beforeEach(async () => {
  bench = await openBench()
  queue = openIngestQueue(bench.redis, 'main')
  jobs = openQueue(bench.redis, 'main', 'ingest')
})
afterEach(async () => {
  await Promise.all([queue.close(), jobs.close()])
  await bench.close()
})

const heal = () => healJobs({ catalog: bench.ports.catalog, files: bench.files, queue, log: silent })
/** Makes the next check of these documents due. */
const due = (...ids: string[]) => Promise.all(ids.map((id) => bench.redis.zadd('documents:open', 1, id)))

describe('maintenance of documents', () => {
  it('adds lost jobs again and does not touch other jobs', async () => {
    const { id: lost } = await bench.send('One.')
    const { id: queued } = await bench.send('Two.')
    const [, second] = bench.jobs
    if (second) await queue.add(second, 1)
    expect(await heal()).toBe(0)
    await due(lost, queued)
    expect(await heal()).toBe(1)
    expect((await jobs.getPrioritized()).map((job) => (job.data as { documentId: string }).documentId).sort()).toEqual(
      [lost, queued].sort(),
    )
    await due(lost, queued)
    expect(await heal()).toBe(0)
  })

  it('adds a job again if only its hash is left', async () => {
    const { id } = await bench.send('One.')
    const [job] = bench.jobs
    if (job) await queue.add(job, 1)
    await bench.redis.del('plumbline:{main}:ingest:prioritized')
    await due(id)
    expect(await heal()).toBe(1)
    expect(await jobs.getPrioritizedCount()).toBe(1)
  })

  it('forgets documents that are finished or removed', async () => {
    const { id } = await bench.send('One.')
    await bench.deliver(bench.jobs[0])
    await due(id, 'dgone')
    expect(await heal()).toBe(0)
    expect(await bench.redis.zcard('documents:open')).toBe(0)
  })

  it('handles many documents in batches', async () => {
    const ids: string[] = []
    for (let n = 0; n < 2 * maintenanceLimits.perLook + 3; n += 1) ids.push((await bench.send(`Text ${n}.`)).id)
    await due(...ids)
    expect(await heal()).toBe(ids.length)
  })
})

describe('terms of an older version', () => {
  it('are renewed in batches until none is left', async () => {
    let left = maintenanceLimits.renewedAtOnce + 3
    const renewOne = () => Promise.resolve((left -= 1) >= 0)
    const renew = () =>
      renewTerms(
        { catalog: bench.ports.catalog, files: bench.files, queue, log: silent, index: { renewOne }, keepUnknownMs: 0 },
        new AbortController().signal,
      )
    expect([await renew(), left]).toEqual([true, 3])
    expect([await renew(), left]).toEqual([false, -1])
  })
})

describe('the queue', () => {
  it('alternates between tenants with few and with many documents, and keeps each tenant’s order', async () => {
    const add = async (of: string, n: number, waiting: number) =>
      queue.add({ documentId: `d${of}${n}`, revision: 'v1', tenant: of }, waiting)
    for (let n = 1; n <= 30; n += 1) await add('many', n, n)
    await add('few', 1, 1)
    await add('few', 2, 2)
    const order = (await jobs.getPrioritized(0, 40)).map((job) => (job.data as { documentId: string }).documentId)
    expect(order.slice(0, 4)).toEqual(['dmany1', 'dfew1', 'dmany2', 'dfew2'])
    expect(order.filter((id) => id.startsWith('dmany'))).toEqual(Array.from({ length: 30 }, (_, n) => `dmany${n + 1}`))
  })

  it('alternates a tenant that comes later with one whose documents have waited long', async () => {
    const add = async (of: string, n: number, waiting: number) =>
      queue.add({ documentId: `d${of}${n}`, revision: 'v1', tenant: of }, waiting)
    for (let n = 1; n <= 30; n += 1) await add('early', n, n)
    for (let n = 1; n <= 20; n += 1) await jobs.remove(`dearly${n}.v1`)
    for (let n = 1; n <= 3; n += 1) await add('late', n, n)
    const order = (await jobs.getPrioritized(0, 5)).map((job) => (job.data as { documentId: string }).documentId)
    expect(order).toEqual(['dearly21', 'dlate1', 'dearly22', 'dlate2', 'dearly23', 'dlate3'])
    expect(new Set(await queue.waitingTenants())).toEqual(new Set(['early', 'late']))
  })
})

describe('files', () => {
  it('of a document that the catalog has lost are kept', async () => {
    await bench.send('Kept.', { name: 'kept' })
    const { id } = await bench.send('Lost.', { name: 'lost' })
    await bench.catalog.removeDocument(tenant, id)
    const signal = AbortSignal.timeout(5_000)
    const swept = bench.files.sweep({ ...bench.ports.catalog, untouchedMs: -1, keepUnknownMs: 60_000, signal })
    expect(await swept).toEqual({ removed: 0, unknown: 1 })
    expect(await bench.files.original({ tenant, id, revision: bench.jobs[1]?.revision ?? '' })).toMatchObject({
      bytes: 5,
    })
  })

  it('that nobody needs are removed, but served, queued and recent ones are kept', async () => {
    const { id } = await bench.send('Old.', { name: 'a' })
    await bench.deliver(bench.jobs[0])
    await bench.send('Newer.', { name: 'a' })
    await bench.send('Newest.', { name: 'a' })
    const { id: gone } = await bench.send('Gone.')
    await bench.files.remove({ tenant, id: gone })
    await bench.catalog.removeDocument(tenant, gone)
    const sweep = (untouchedMs: number) =>
      bench.files.sweep({
        ...bench.ports.catalog,
        untouchedMs,
        keepUnknownMs: 60_000,
        signal: AbortSignal.timeout(5_000),
      })
    expect(await sweep(60_000)).toEqual({ removed: 0, unknown: 0 })
    expect(await sweep(-1)).toEqual({ removed: 1, unknown: 0 })
    const originals = await Promise.all(
      bench.jobs.slice(0, 3).map(({ revision }) => bench.files.original({ tenant, id, revision })),
    )
    expect(originals.map((original) => original !== null)).toEqual([true, false, true])
    expect(await bench.files.original({ tenant, id: gone, revision: bench.jobs[3]?.revision ?? '' })).toBeNull()
  })
})
