import { describe, expect, it } from 'vitest'
import { openQdrantPassageIndex, type QdrantPassageIndex } from '../qdrant-passage-index'
import { documentOf, never, passagesFound, passagesOf, scope, serverOfSpecs, stored } from './kit'

const server = await serverOfSpecs({ validate: false })

const open = (): Promise<QdrantPassageIndex> => openQdrantPassageIndex({ url: server.url })
const write = (
  index: QdrantPassageIndex,
  mark: string,
  size: number,
  more: Parameters<typeof documentOf>[1] = {},
  signal = never,
  id = 'd',
) => index.write('t', documentOf(id, more), passagesOf(id, mark, size), signal)

type Change = (index: QdrantPassageIndex, id: string, signal: AbortSignal) => Promise<void>
type Case = { before?: string; change: Change; whole: (string | undefined)[]; space?: string }
const kill = new Error('killed')

/** Stops the writer when its nth request is done but not answered. `onStep` runs before each request. */
const killedAt = async (
  step: number,
  change: (index: QdrantPassageIndex, signal: AbortSignal) => Promise<void>,
  onStep?: () => Promise<void>,
): Promise<boolean> => {
  const [writer, stop] = [await open(), new AbortController()]
  let [steps, looking] = [0, false]
  server.watch(async (_, when) => {
    if (looking) return
    if (when === 'before') {
      looking = true
      steps += 1
      await onStep?.()
      looking = false
    } else if (steps === step) {
      stop.abort(kill)
      return 'broken'
    }
  })
  const killed = await change(writer, stop.signal).then(
    () => false,
    (error: unknown) => (expect(error).toBe(kill), true),
  )
  server.watch(null)
  return killed
}

const cases: Record<string, Case> = {
  'a first version': {
    change: (index, id, signal) => write(index, 'new', 9, {}, signal, id),
    whole: [undefined, 'new 9'],
  },
  'another version': {
    before: 'old',
    change: (index, id, signal) => write(index, 'new', 9, {}, signal, id),
    whole: ['old 5', 'new 9'],
  },
  'a version in another space': {
    before: 'old',
    change: (index, id, signal) => write(index, 'new', 9, { space: 'two' }, signal, id),
    whole: ['old 5', 'new 9'],
    space: 'two',
  },
  'a removal': {
    before: 'old',
    change: (index, id, signal) => index.remove('t', id, signal),
    whole: ['old 5', undefined],
  },
}

describe.each(Object.entries(cases))('%s', (_, { before, change, whole, space }) => {
  it(
    'is seen whole at every step, and killed at any of them too; the next write leaves nothing else',
    { timeout: 60_000 },
    async () => {
      const [reader, other] = [await open(), await open()]
      for (const made of ['one', 'two']) await write(other, 'made', 1, { space: made }, never, made)
      for (let [step, killed] = [0, true]; killed; step += 1) {
        const id = `d${step}`
        if (before) await write(other, before, 5, {}, never, id)
        const sights = new Set<string | undefined>()
        const look = async (): Promise<void> => {
          for (const sight of await passagesFound(reader, space, space ? ['words'] : undefined)) sights.add(sight[id])
        }
        killed = await killedAt(step, (writer, signal) => change(writer, id, signal), step === 0 ? look : undefined)
        await look()
        expect(
          [...sights].filter((sight) => !whole.includes(sight)),
          `step ${step}`,
        ).toEqual([])
        await write(await open(), 'next', 3, {}, never, id)
        expect((await passagesFound(reader)).map((sight) => sight[id])).toEqual(['next 3', 'next 3'])
        expect(stored(server, id)).toEqual(['slate next', 'slate next', 'slate next'])
        expect(await reader.count(scope, never)).toBe(5)
        await reader.remove('t', id, never)
        expect(stored(server, id)).toEqual([])
        if (step === 0) killed = true
        expect(killed || step > 4).toBe(true)
      }
    },
  )
})

it(
  'the first write of all, killed at every step, leaves collections that the next one completes',
  { timeout: 60_000 },
  async () => {
    for (let [step, killed] = [1, true]; killed; step += 1) {
      server.reset()
      killed = await killedAt(step, (writer, signal) => write(writer, 'new', 2, {}, signal))
      const after = await open()
      expect([undefined, 'new 2']).toContain((await passagesFound(after))[0]?.d)
      await write(after, 'next', 1)
      expect(await passagesFound(after), `step ${step}`).toEqual([{ d: 'next 1' }, { d: 'next 1' }])
      expect(killed || step > 20).toBe(true)
    }
  },
)

it('four processes that begin at once all write, into one collection', async () => {
  const indexes = await Promise.all([open(), open(), open(), open()])
  await Promise.all(indexes.map((index, nth) => write(index, 'v', 2, {}, never, `d${nth}`)))
  expect((await passagesFound(indexes[0]!))[0]).toEqual({ d0: 'v 2', d1: 'v 2', d2: 'v 2', d3: 'v 2' })
  expect([...server.store.aliases.keys()]).toHaveLength(2)
  expect(server.store.collections.size).toBe(2)
})

describe('two processes that write one document at once', () => {
  it('end with one complete version, whatever else happens at any step', { timeout: 120_000 }, async () => {
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
      const [last, again] = await passagesFound(reader)
      expect(['mine 9', 'other 4'], `step ${step}`).toContain(last?.d)
      expect(again).toEqual(last)
      expect(stored(server, 'd')).toHaveLength(last?.d === 'mine 9' ? 9 : 4)
    }
    expect(step).toBeGreaterThan(5)
  })

  it('never show a reader a partial document', { timeout: 60_000 }, async () => {
    const writers = await Promise.all([open(), open(), open()])
    const reader = await open()
    await write(reader, 'v0', 5)
    let writing = true
    const sights = new Set<string | undefined>()
    const reads = (async () => {
      while (writing) for (const { d } of await passagesFound(reader)) sights.add(d)
    })()
    await Promise.all(
      writers.flatMap((index, nth) => Array.from({ length: 5 }, (_, at) => write(index, `v${nth}-${at}`, 3 + nth))),
    )
    writing = false
    await reads
    expect([...sights].filter((sight) => sight !== 'v0 5' && !/^v(\d)-\d [345]$/.test(sight ?? ''))).toEqual([])
    for (const sight of sights) if (sight !== 'v0 5') expect(Number(sight?.slice(-1))).toBe(3 + Number(sight?.[1]))
    const [last] = await passagesFound(reader)
    expect(stored(server, 'd')).toHaveLength(Number(last?.d?.slice(-1)))
  })
})

it('searches again if a version became current between the search and its manifest', async () => {
  const [reader, writer] = [await open(), await open()]
  await write(writer, 'made', 1, {}, never, 'made')
  const half = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const found = Promise.withResolvers<void>()
  let [batches, queries] = [0, 0]
  server.watch(async ({ method, path }, when) => {
    if (when === 'before') return
    if (method === 'PUT' && /space.*points$/.test(path) && (batches += 1) === 1) {
      half.resolve()
      await found.promise
    }
    if (path.endsWith('/query') && (queries += 1) === 1) {
      found.resolve()
      await written.promise
    }
  })
  const writing = write(writer, 'new', 150).then(written.resolve)
  await half.promise
  const [sight] = await passagesFound(reader, 'one', ['words'])
  expect(sight).toEqual({ made: 'made 1', d: 'new 150' })
  expect([batches, queries]).toEqual([2, 2])
  await writing
})

describe('repeated writes', () => {
  it('are sent again only if the document has changed', async () => {
    const index = await open()
    await write(index, 'same', 3)
    const sent = (): number =>
      server.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/points')).length
    const before = sent()
    await write(await open(), 'same', 3)
    expect(sent()).toBe(before)
    await write(index, 'same', 3, { access: ['hr'] })
    expect(sent()).toBeGreaterThan(before)
    expect(await index.count({ ...scope, access: [] }, never)).toBe(0)
  })
  it('are sent again if the Qdrant collection was lost', async () => {
    const index = await open()
    await write(index, 'same', 3)
    for (const name of [...server.store.collections.keys()].filter((one) => one.includes('.space.')))
      await fetch(`${server.url}/collections/${name}`, { method: 'DELETE' })
    expect(await passagesFound(index)).toEqual([{}, {}])
    await write(index, 'same', 3)
    expect(await passagesFound(index)).toEqual([{ d: 'same 3' }, { d: 'same 3' }])
  })
  it('leave nothing of a document that was removed, partly written again, and removed again', async () => {
    const index = await open()
    await write(index, 'old', 3)
    await index.remove('t', 'd', never)
    const stop = new AbortController()
    server.watch(({ path, method }, at) => {
      if (at === 'done' && method === 'PUT' && /space.*points$/.test(path)) stop.abort(kill)
    })
    await expect(write(await open(), 'half', 3, {}, stop.signal)).rejects.toBe(kill)
    server.watch(null)
    expect(stored(server, 'd')).toHaveLength(3)
    await index.remove('t', 'd', never)
    expect(stored(server, 'd')).toEqual([])
  })
  it('leave nothing of a document that was removed before its first version was current', async () => {
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
