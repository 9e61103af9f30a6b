import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import { AppError, silent } from '@plumbline/platform'
import { createIsolation, createInFlight } from '@plumbline/worker'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBackgroundFetch } from './background-fetch'
import { mostErrors } from './ingest-document'
import { yieldToQuestions } from './concurrency'
import { createIngestLoop, ingestLimits, type IngestDelivery, type IngestLimits } from './ingest-loop'
import { openBench, type Bench } from './spec/bench.spec'

let bench: Bench
/** The tenants of the next documents in the queue. */
let waiting: string[]
beforeEach(async () => {
  bench = await openBench()
  waiting = []
})
afterEach(() => bench.close())

const loopOf = (job: IngestJob | undefined, own: Partial<IngestLimits> = {}) => {
  if (!job) throw new Error('no job was queued')
  const limits = { ...ingestLimits, ...own }
  const draining = new AbortController()
  const isolation = createIsolation()
  const process = { inFlight: createInFlight(), draining: draining.signal }
  const isSuspect = Promise.withResolvers<void>()
  const info = (_: unknown, said?: string): void => void (said?.includes('processed alone') && isSuspect.resolve())
  const loop = createIngestLoop({
    ...bench.ports,
    waitingTenants: () => Promise.resolve(waiting),
    limits,
    isolation,
    process,
    yieldToQuestions: yieldToQuestions(process.inFlight),
    log: { ...silent, info },
  })
  const deliver = (more: Partial<IngestDelivery> = {}) => loop({ ...job, tries: 1, ...more })
  return { isolation, process, draining, deliver, limits, isSuspect: isSuspect.promise }
}
const open = async (own: Partial<IngestLimits> = {}) => {
  const { id } = await bench.send('Some text.')
  return { id, ...loopOf(bench.jobs[0], own) }
}
const never = new AbortController().signal
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a delivery', () => {
  it('is done when its document is indexed', async () => {
    const { id, deliver } = await open()
    expect(await deliver()).toEqual({ kind: 'done' })
    expect(await bench.view(id)).toMatchObject({ status: 'indexed' })
  })

  it('is retried later, each time after a longer pause', async () => {
    const { deliver } = await open()
    bench.faults.parse = new Error('broken')
    const pauses = []
    for (let tries = 1; tries < 5; tries += 1) pauses.push(await deliver({ tries }))
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000].map((inMs) => ({ kind: 'later', inMs })))
  })

  it('is retried when the provider allows it, and never sooner', async () => {
    const { deliver } = await open()
    bench.faults.embed = new AppError('embedder.limited', 'later', { notBefore: Date.now() + 40_000 })
    const again = await deliver()
    expect(again).toMatchObject({ kind: 'later' })
    expect(again.kind === 'later' && Math.abs(again.inMs - 40_000) < 2_000).toBe(true)
  })

  it('is retried within an hour, whatever delay a server asks for', async () => {
    const { deliver } = await open()
    bench.faults.embed = new AppError('embedder.limited', 'later', { notBefore: Date.now() + 1e11 })
    expect(await deliver()).toEqual({ kind: 'later', inMs: 3_600_000 })
  })

  it('is retried when the catalog does not answer', async () => {
    const { deliver } = await open()
    bench.redis.disconnect()
    expect(await deliver()).toEqual({ kind: 'later', inMs: 1_000 })
  })

  const startsOf = (id: string): Promise<string | null> => bench.redis.hget(`catalog:{${id}}:document`, 'starts')
  /** Simulates a process that died with the document at this point. */
  const died = async (deliver: () => Promise<unknown>, at: 'before parse' | 'before embed'): Promise<void> => {
    const still = bench.standStill(at)
    void deliver()
    await still.reached
  }

  it.each(['before parse', 'before embed'] as const)(
    'of a document whose process died %s runs alone, and only once',
    async (at) => {
      const { id, deliver } = await open()
      await died(deliver, at)
      const { isolation, deliver: again, isSuspect } = loopOf(bench.jobs[0])
      const other = await isolation.enter(false, never)
      const before = { ...bench.counts }
      const suspect = again({ tries: 2 })
      await isSuspect
      await nextTurn()
      expect(bench.counts).toEqual(before)
      bench.faults.parse = bench.faults.embed = new AppError('embedder.limited', 'later')
      other?.leave()
      expect(await suspect).toMatchObject({ kind: 'later' })
      expect(await startsOf(id)).toBe('0')
      bench.faults.parse = bench.faults.embed = undefined
      await isolation.enter(false, never)
      expect(await again({ tries: 3 })).toEqual({ kind: 'done' })
    },
  )

  it('of a document that only waited for isolation to end runs beside others', async () => {
    const { id, isolation, deliver } = await open()
    const alone = await isolation.enter(true, never)
    const waited = deliver()
    await nextTurn()
    expect(await startsOf(id)).toBe('0')
    alone?.leave()
    await isolation.enter(false, never)
    expect(await waited).toEqual({ kind: 'done' })
  })

  it('is stopped at its time limit and can be retried', async () => {
    const { deliver, limits } = await open()
    limits.timeoutMs = 300
    const parse = bench.ports.parser.parse.bind(bench.ports.parser)
    bench.ports.parser.parse = (_file, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    expect(await deliver()).toEqual({ kind: 'later', inMs: 1_000 })
    bench.ports.parser.parse = parse
    limits.timeoutMs = ingestLimits.timeoutMs
    expect(await deliver({ tries: 2 })).toEqual({ kind: 'done' })
  })

  it('returns to the queue at once when the worker drains, and that counts as no start', async () => {
    const { id, process, draining, deliver } = await open()
    const still = bench.standStill('after parse')
    const held = deliver()
    await still.reached
    process.inFlight.stopAll('drain')
    still.goOn()
    expect(await held).toEqual({ kind: 'back' })
    draining.abort()
    expect(await deliver()).toEqual({ kind: 'back' })
    expect(await bench.redis.hget(`catalog:{${id}}:document`, 'starts')).toBe('0')
  })

  it('of a tenant that has half of the slots is postponed only while another tenant waits', async () => {
    const { deliver } = await open({ shortTexts: 0 })
    await bench.send('Another text.')
    const still = bench.standStill('after parse')
    const first = deliver()
    await still.reached
    waiting = ['another', 't']
    expect(await deliver(bench.jobs[1])).toEqual({ kind: 'later', inMs: ingestLimits.yieldMs })
    waiting = ['t']
    await expect.poll(() => deliver(bench.jobs[1])).toEqual({ kind: 'done' })
    still.goOn()
    expect(await first).toEqual({ kind: 'done' })
  })

  it('beyond the half of its tenant is stopped when another tenant waits, and continues from stored progress', async () => {
    const { deliver, process } = await open({ shortTexts: 0 })
    const { id } = await bench.send('Another text.')
    const first = bench.standStill('before parse')
    const oldest = deliver()
    await first.reached
    const second = bench.standStill('after embed')
    const last = deliver(bench.jobs[1])
    await second.reached
    waiting = ['another']
    await expect.poll(() => process.inFlight.ofRun(id).every(({ controller }) => controller.signal.aborted)).toBe(true)
    second.goOn()
    expect(await last).toEqual({ kind: 'later', inMs: ingestLimits.backoffMs })
    expect(await bench.redis.hmget(`catalog:{${id}}:document`, 'starts', 'errors')).toEqual(['0', '0'])
    first.goOn()
    expect(await oldest).toEqual({ kind: 'done' })
    expect(await deliver({ ...bench.jobs[1], tries: 2 })).toEqual({ kind: 'done' })
    expect(bench.counts).toMatchObject({ parse: 2, embed: 2 })
  })

  it('of a large document waits for its slot while short texts are indexed', async () => {
    const { deliver, draining } = await open({ concurrency: 1 })
    const { id } = await bench.send('Another text.')
    await bench.send('A third text.')
    const still = bench.standStill('before parse')
    const first = deliver({ short: undefined })
    await still.reached
    const second = deliver({ ...bench.jobs[1], short: undefined })
    expect(await deliver(bench.jobs[2])).toEqual({ kind: 'done' })
    expect(await bench.view(id)).toMatchObject({ status: 'queued' })
    still.goOn()
    expect(await first).toEqual({ kind: 'done' })
    expect(await second).toEqual({ kind: 'done' })
    expect(draining.signal.aborted).toBe(false)
  })

  it('of a large document that waits returns to the queue when the worker drains', async () => {
    const { deliver, draining } = await open({ concurrency: 1 })
    const { id } = await bench.send('Another text.')
    const still = bench.standStill('before parse')
    const first = deliver({ short: undefined })
    await still.reached
    const second = deliver({ ...bench.jobs[1], short: undefined })
    draining.abort()
    expect(await second).toEqual({ kind: 'back' })
    expect(await bench.view(id)).toMatchObject({ status: 'queued' })
    still.goOn()
    await first
  })

  it('returns to the queue when the worker drains during a download', async () => {
    const { id } = await bench.send({ kind: 'url', url: 'https://example.org/page' })
    const answering = Promise.withResolvers<void>()
    const content = new Readable({ read: () => answering.resolve() })
    bench.ports.fetch = () =>
      Promise.resolve({
        name: 'page',
        url: 'https://example.org/page',
        fetchedAt: 1,
        content,
        close: () => Promise.resolve(void content.destroy()),
      })
    const { process, deliver } = await open()
    const held = deliver()
    await answering.promise
    process.inFlight.stopAll('drain')
    expect(await held).toEqual({ kind: 'back' })
    expect(content.destroyed).toBe(true)
    expect(await bench.view(id)).toMatchObject({ status: 'processing', task: 'fetch' })
  })

  it('frees its slot during a long download, and that counts as no start or error', async () => {
    const { id } = await bench.send({ kind: 'url', url: 'https://example.org/page' })
    const answer = Promise.withResolvers<void>()
    const fetch = bench.ports.fetch
    bench.ports.fetch = (url, signal) => answer.promise.then(() => fetch(url, signal))
    bench.pages.set('https://example.org/page', '# Page')
    const background = openBackgroundFetch({ atOnce: 1, waitMs: 1 })
    bench.ports.inBackground = background.run
    const { deliver } = await open()
    for (let tries = 1; tries <= mostErrors + 1; tries += 1)
      expect(await deliver({ tries })).toMatchObject({ kind: 'later' })
    expect(await bench.redis.hmget(`catalog:{${id}}:document`, 'starts', 'errors', 'task')).toEqual(['0', '0', 'fetch'])
    answer.resolve()
    await expect.poll(() => deliver({ tries: 2 })).toEqual({ kind: 'done' })
    expect(bench.counts.fetch).toBe(1)
    await background.stop()
  })

  it('waits between batches while this process works on questions, but not until they end', async () => {
    const { process, deliver } = await open()
    const release = process.inFlight.add({
      runId: 'r1',
      taskId: 'research.1.1',
      since: 0,
      controller: new AbortController(),
    })
    const still = bench.standStill('after parse')
    const delivery = deliver()
    await still.reached
    const from = performance.now()
    still.goOn()
    expect(await delivery).toEqual({ kind: 'done' })
    expect(performance.now() - from).toBeGreaterThan(200)
    release()
  })
})
