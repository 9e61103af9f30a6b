import { AppError, silent } from '@plumbline/platform'
import { createGate, createHeld } from '@plumbline/worker'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAside } from './aside'
import { mostErrors } from './ingest-document'
import { createIngestLoop, ingestLimits, type IngestDelivery } from './ingest-loop'
import { openBench, type Bench } from './spec/bench.spec'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench.close())

const open = async () => {
  const { id } = await bench.send('Some text.')
  const limits = { ...ingestLimits }
  const draining = new AbortController()
  const process = { gate: createGate(), held: createHeld(), draining: draining.signal }
  const loop = createIngestLoop({ ...bench.ports, limits, process, log: silent })
  const [job] = bench.jobs
  if (!job) throw new Error('no job was queued')
  const deliver = (more: Partial<IngestDelivery> = {}) => loop({ ...job, tries: 1, redelivered: false, ...more })
  return { id, process, draining, deliver, limits }
}
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a delivery', () => {
  it('is done when its document is indexed', async () => {
    const { id, deliver } = await open()
    expect(await deliver()).toEqual({ kind: 'done' })
    expect(await bench.view(id)).toMatchObject({ status: 'indexed' })
  })

  it('comes again later, each time after a longer pause', async () => {
    const { deliver } = await open()
    bench.faults.parse = new Error('broken')
    const pauses = []
    for (let tries = 1; tries < 5; tries += 1) pauses.push(await deliver({ tries }))
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000].map((inMs) => ({ kind: 'later', inMs })))
  })

  it('comes again when the provider says, and never sooner', async () => {
    const { deliver } = await open()
    bench.faults.embed = new AppError('embedder.limited', 'later', { notBefore: Date.now() + 40_000 })
    const again = await deliver()
    expect(again).toMatchObject({ kind: 'later' })
    expect(again.kind === 'later' && Math.abs(again.inMs - 40_000) < 2_000).toBe(true)
  })

  it('comes again within the hour, whatever a server says', async () => {
    const { deliver } = await open()
    bench.faults.embed = new AppError('embedder.limited', 'later', { notBefore: Date.now() + 1e11 })
    expect(await deliver()).toEqual({ kind: 'later', inMs: 3_600_000 })
  })

  it('comes again when the catalog does not answer', async () => {
    const { deliver } = await open()
    bench.redis.disconnect()
    expect(await deliver()).toEqual({ kind: 'later', inMs: 1_000 })
  })

  it('of a document that took its process down is tried alone', async () => {
    const { process, deliver } = await open()
    const other = await process.gate.enter(false, new AbortController().signal)
    const suspect = deliver({ redelivered: true, tries: 2 })
    await nextTurn()
    expect(bench.counts.parse).toBe(0)
    other?.leave()
    expect(await suspect).toEqual({ kind: 'done' })
  })

  it('is stopped at its time limit, and goes on from there', async () => {
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

  it('goes back at once when the worker drains, and spends nothing', async () => {
    const { id, process, draining, deliver } = await open()
    const still = bench.standStill('after parse')
    const held = deliver()
    await still.reached
    process.held.stopAll('drain')
    still.goOn()
    expect(await held).toEqual({ kind: 'back' })
    draining.abort()
    expect(await deliver()).toEqual({ kind: 'back' })
    expect(await bench.redis.hget(`catalog:{${id}}:document`, 'starts')).toBe('0')
  })

  it('goes back when the worker drains while an address is still answering', async () => {
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
    process.held.stopAll('drain')
    expect(await held).toEqual({ kind: 'back' })
    expect(content.destroyed).toBe(true)
    expect(await bench.view(id)).toMatchObject({ status: 'processing', task: 'fetch' })
  })

  it('has its slot back while an address is still answering, and spends nothing', async () => {
    const { id } = await bench.send({ kind: 'url', url: 'https://example.org/page' })
    const answer = Promise.withResolvers<void>()
    const fetch = bench.ports.fetch
    bench.ports.fetch = (url, signal) => answer.promise.then(() => fetch(url, signal))
    bench.pages.set('https://example.org/page', '# Page')
    const aside = openAside({ atOnce: 1, patienceMs: 1 })
    bench.ports.aside = aside.run
    const { deliver } = await open()
    for (let tries = 1; tries <= mostErrors + 1; tries += 1)
      expect(await deliver({ tries })).toMatchObject({ kind: 'later' })
    expect(await bench.redis.hmget(`catalog:{${id}}:document`, 'starts', 'errors', 'task')).toEqual(['0', '0', 'fetch'])
    answer.resolve()
    await expect.poll(() => deliver({ tries: 2 })).toEqual({ kind: 'done' })
    expect(bench.counts.fetch).toBe(1)
    await aside.stop()
  })

  it('waits between batches while this process works on questions, and goes on though they last', async () => {
    const { process, deliver } = await open()
    const release = process.held.add({
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
