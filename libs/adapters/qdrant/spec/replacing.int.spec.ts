import { startQdrantServer, type QdrantServer } from '@plumbline/testing/qdrant-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openQdrantPassageIndex, type QdrantPassageIndex } from '../qdrant-passage-index'
import { absent, documentOf, never, passagesOf, scope, seen, stored } from './kit'

let server: QdrantServer
beforeAll(async () => void (server = await startQdrantServer({ openapi: absent })))
afterEach(() => {
  expect(server.faults).toEqual([])
  server.reset()
})
afterAll(() => server.close())

const open = (): Promise<QdrantPassageIndex> => openQdrantPassageIndex({ url: server.url })
const write = (index: QdrantPassageIndex, mark: string, size: number, more: Parameters<typeof documentOf>[1] = {}, signal = never) => index.write('t', documentOf('d', more), passagesOf('d', mark, size), signal)

type Change = (index: QdrantPassageIndex, signal: AbortSignal) => Promise<void>
type Case = { before?: string; change: Change; whole: (string | undefined)[]; space?: string }
const kill = new Error('killed')

/** Ends the writer at its nth request, before it is done or before it is answered, while a reader looks on at every step. */
const killedAt = async (step: number, when: 'before' | 'done', { change, space }: Case): Promise<{ killed: boolean; sights: Set<string | undefined> }> => {
  const [reader, writer, stop] = [await open(), await open(), new AbortController()]
  const sights = new Set<string | undefined>()
  let [steps, reading] = [0, false]
  server.watch(async (_, at) => {
    if (reading) return
    if (at === 'before') {
      reading = true
      steps += 1
      for (const sight of await seen(reader, space, space ? ['words'] : undefined)) sights.add(sight.d)
      reading = false
    }
    if (steps !== step || at !== when) return
    stop.abort(kill)
    return 'broken'
  })
  const killed = await change(writer, stop.signal).then(() => false, (error: unknown) => (expect(error).toBe(kill), true))
  server.watch(null)
  return { killed, sights }
}

const cases: Record<string, Case> = {
  'a first version': { change: (index, signal) => write(index, 'new', 9, {}, signal), whole: [undefined, 'new 9'] },
  'another version': { before: 'old', change: (index, signal) => write(index, 'new', 9, {}, signal), whole: ['old 5', 'new 9'] },
  'a version in another space': { before: 'old', change: (index, signal) => write(index, 'new', 9, { space: 'two' }, signal), whole: ['old 5', 'new 9'], space: 'two' },
  'a removal': { before: 'old', change: (index, signal) => index.remove('t', 'd', signal), whole: ['old 5', undefined] },
}

describe.each(Object.entries(cases))('%s, killed at every step', (_, one) => {
  it.each(['before', 'done'] as const)('%s a request: readers see all of one version, and the next write leaves nothing else', { timeout: 120_000 }, async (when) => {
    let [step, wasKilled] = [0, true]
    for (; wasKilled; ) {
      step += 1
      server.reset()
      if (one.before) await write(await open(), one.before, 5)
      const { killed, sights } = await killedAt(step, when, one)
      wasKilled = killed
      expect([...sights].filter((sight) => !one.whole.includes(sight)), `step ${step}`).toEqual([])
      const after = await open()
      expect(one.whole).toContain((await seen(after))[0]?.d)
      await write(after, 'next', 3)
      expect(await seen(after)).toEqual([{ d: 'next 3' }, { d: 'next 3' }])
      expect(stored(server, 'd')).toEqual(['slate next', 'slate next', 'slate next'])
      expect(await after.count(scope, never)).toBe(3)
    }
    expect(step).toBeGreaterThan(4)
  })
})

describe('two processes that write one document at once', () => {
  it('end with the whole of one of them, whoever comes between at whatever step', { timeout: 120_000 }, async () => {
    let [step, steps] = [0, 1]
    for (; step < steps; step += 1) {
      server.reset()
      const [one, other, reader] = [await open(), await open(), await open()]
      await write(one, 'old', 5)
      ;[steps] = [0]
      let inside = false
      server.watch(async (_, at) => {
        if (inside || at !== 'before') return
        steps += 1
        if (steps - 1 !== step) return
        inside = true
        await write(other, 'other', 4)
        inside = false
      })
      await write(one, 'mine', 9)
      server.watch(null)
      const [last, again] = await seen(reader)
      expect(['mine 9', 'other 4'], `step ${step}`).toContain(last?.d)
      expect(again).toEqual(last)
      expect(stored(server, 'd')).toHaveLength(last?.d === 'mine 9' ? 9 : 4)
    }
    expect(step).toBeGreaterThan(5)
  })

  it('are read whole while they do', { timeout: 60_000 }, async () => {
    const writers = await Promise.all([open(), open(), open()])
    const reader = await open()
    await write(reader, 'v0', 5)
    let writing = true
    const sights = new Set<string | undefined>()
    const reads = (async () => {
      while (writing) for (const { d } of await seen(reader)) sights.add(d)
    })()
    await Promise.all(writers.flatMap((index, nth) => Array.from({ length: 5 }, (_, at) => write(index, `v${nth}-${at}`, 3 + nth))))
    writing = false
    await reads
    expect([...sights].filter((sight) => sight !== 'v0 5' && !/^v(\d)-\d [345]$/.test(sight ?? ''))).toEqual([])
    for (const sight of sights) if (sight !== 'v0 5') expect(Number(sight?.slice(-1))).toBe(3 + Number(sight?.[1]))
    const [last] = await seen(reader)
    expect(stored(server, 'd')).toHaveLength(Number(last?.d?.slice(-1)))
  })
})

describe('what is written again', () => {
  it('is not sent again when it is the same, and is when anything of it is not', async () => {
    const index = await open()
    await write(index, 'same', 3)
    const sent = (): number => server.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/points')).length
    const before = sent()
    await write(await open(), 'same', 3)
    expect(sent()).toBe(before)
    await write(index, 'same', 3, { access: ['hr'] })
    expect(sent()).toBeGreaterThan(before)
    expect(await index.count({ ...scope, access: [] }, never)).toBe(0)
  })
  it('leaves nothing of a document that was removed before its first version counted', async () => {
    const [writer, stop] = [await open(), new AbortController()]
    server.watch(({ path, method }, at) => {
      if (at === 'done' && method === 'PUT' && /space.*points$/.test(path)) stop.abort(kill)
    })
    await expect(write(writer, 'half', 3, {}, stop.signal)).rejects.toBe(kill)
    server.watch(null)
    expect(stored(server, 'd')).toHaveLength(3)
    await (await open()).remove('t', 'd', never)
    expect(stored(server, 'd')).toEqual([])
  })
})
