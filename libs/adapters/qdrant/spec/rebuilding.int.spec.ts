import { onlyMethod } from '@plumbline/ports/passage-index/passage-index'
import { describe, expect, it } from 'vitest'
import { openQdrantPassageIndex, type QdrantPassageIndex } from '../qdrant-passage-index'
import { along, documentOf, never, passagesFound, passagesOf, scope, serverOfSpecs, stored } from './kit'

const server = await serverOfSpecs({ validate: false })

const open = (quantisation: 'none' | 'scalar' | 'binary' = 'none'): Promise<QdrantPassageIndex> =>
  openQdrantPassageIndex({ url: server.url, quantisation })
const put = (index: QdrantPassageIndex, id: string, mark = 'old', size = 3) =>
  index.write('t', documentOf(id), passagesOf(id, mark, size), never)
const ids = ['a', 'b', 'c', 'd', 'e']
const few = ['a', 'b']
const two = { a: 'old 3', b: 'old 3' }
const all = (said: string): Record<string, string> => Object.fromEntries(ids.map((id) => [id, said]))
const spaces = (): string[] => [...server.store.collections.keys()].filter((name) => name.includes('.space.'))
const quantised = (): unknown[] =>
  spaces().map((name) => server.store.collections.get(name)?.settings.quantization_config ?? null)

describe('rebuild', () => {
  it('applies new options to all documents, reports its progress, and leaves only the new collection', async () => {
    const index = await open()
    for (const id of ids) await put(index, id)
    expect(quantised()).toEqual([null])
    const told: { done: number; of: number }[] = []
    await (await open('scalar')).rebuild(never, (progress) => told.push(progress))
    expect(quantised()).toEqual([
      expect.objectContaining({ scalar: expect.objectContaining({ type: 'int8' }) as unknown }),
    ])
    expect(told.at(-1)).toEqual({ done: 5, of: 5 })
    expect(await passagesFound(index)).toEqual([all('old 3'), all('old 3')])
    expect(await index.count(scope, never)).toBe(15)
    expect((await index.passages(scope, 'a', null, never)).map(({ position }) => position)).toEqual([0, 1, 2])
    const turns = server.requests
      .filter(({ path }) => path === '/collections/aliases')
      .map(({ body }) => (body as { actions: object[] }).actions.map((action) => Object.keys(action)[0]))
    expect(turns.filter((turn) => turn.length > 1)).toEqual([['delete_alias', 'create_alias', 'delete_alias']])
    await put(index, 'a', 'new', 2)
    expect((await passagesFound(index))[0]).toEqual({ ...all('old 3'), a: 'new 2' })
  })

  it('continues at every step while readers read and writers write', { timeout: 60_000 }, async () => {
    const [reader, writer, builder] = [await open(), await open(), await open('binary')]
    for (const id of ids) await put(writer, id)
    const now: Record<string, string> = all('old 3')
    let [inside, step] = [false, 0]
    const wrong: unknown[] = []
    const look = async (): Promise<void> => {
      for (const sight of await passagesFound(reader))
        if (JSON.stringify(Object.entries(sight).sort()) !== JSON.stringify(Object.entries(now).sort()))
          wrong.push({ step, sight, now: { ...now } })
    }
    server.watch(async (_, at) => {
      if (inside) return
      inside = true
      await look()
      if (at === 'before') {
        const id = ids[(step += 1) % ids.length] ?? ''
        await put(writer, id, `v${step}`, 1 + (step % 4))
        now[id] = `v${step} ${1 + (step % 4)}`
        await look()
      }
      inside = false
    })
    await builder.rebuild(never)
    server.watch(null)
    expect(wrong).toEqual([])
    expect(step).toBeGreaterThan(10)
    await look()
    expect(wrong).toEqual([])
    expect(spaces()).toHaveLength(1)
  })
  it(
    'is noticed by a writer that was late, at whatever step of it all of it comes between',
    { timeout: 60_000 },
    async () => {
      const [reader, writer, builder] = [await open(), await open(), await open('scalar')]
      for (let [at, steps] = [1, 1]; steps >= at; at += 1) {
        for (const id of few) await put(writer, id)
        let inside = false
        steps = 0
        server.watch(async (_, when) => {
          if (inside || when !== 'before' || (steps += 1) !== at) return
          inside = true
          await builder.rebuild(never)
          inside = false
        })
        await put(writer, 'a', `late${at}`, 2)
        server.watch(null)
        expect((await passagesFound(reader))[0], `step ${at}`).toEqual({ ...two, a: `late${at} 2` })
        expect(stored(server, 'a')).toEqual([`slate late${at}`, `slate late${at}`])
        expect(at).toBeLessThan(30)
      }
    },
  )

  it('is not noticed by a reader, whichever step of the read it interrupts', { timeout: 60_000 }, async () => {
    const [reader, writer, builder] = [await open(), await open(), await open('scalar')]
    await put(writer, 'a', 'old', 700)
    const reads: Record<string, () => Promise<unknown>> = {
      passages: async () => (await reader.passages(scope, 'a', null, never)).map(({ position }) => position),
      search: async () =>
        (await reader.search(scope, { text: 'slate', vector: null }, onlyMethod('bm25', { k: 5 }), never)).length,
      count: () => reader.count(scope, never),
    }
    for (const [name, read] of Object.entries(reads)) {
      const whole = await read()
      for (let [at, steps] = [1, 1]; steps >= at; at += 1) {
        steps = 0
        let inside = false
        server.watch(async (_, when) => {
          if (inside || when !== 'before' || (steps += 1) !== at) return
          inside = true
          await builder.rebuild(never)
          inside = false
        })
        expect(await read(), `${name} at step ${at}`).toEqual(whole)
        server.watch(null)
        expect(at).toBeLessThan(20)
      }
    }
  })

  it('may end before a writer that began during it, and the written document is still found', async () => {
    const [reader, writer, builder] = [await open(), await open(), await open('scalar')]
    for (const id of few) await put(writer, id)
    const [written, rebuilt] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let writing: Promise<void> | undefined
    server.watch(async ({ method, path }, when) => {
      if (when !== 'before') return
      if (path.endsWith('.documents/points/scroll')) {
        writing ??= put(writer, 'a', 'late', 2)
        await written.promise
      }
      if (method === 'PUT' && path.endsWith('.documents/points')) {
        written.resolve()
        await rebuilt.promise
      }
    })
    await builder.rebuild(never)
    rebuilt.resolve()
    await writing
    server.watch(null)
    expect(await passagesFound(reader)).toEqual([
      { a: 'late 2', b: 'old 3' },
      { a: 'late 2', b: 'old 3' },
    ])
    expect((await reader.passages(scope, 'a', null, never)).map(({ text }) => text)).toEqual([
      'slate late',
      'slate late',
    ])
  })

  it.each<[string, (index: QdrantPassageIndex) => Promise<void>, string[]]>([
    ['removed', (index) => index.remove('t', 'a', never), []],
    ['replaced', (index) => put(index, 'a', 'new', 1), ['slate new']],
  ])('keeps nothing of what was %s while it was copied', async (_, change, left) => {
    const [writer, builder] = [await open(), await open('scalar')]
    for (const id of few) await put(writer, id)
    let copied = false
    server.watch(async ({ method, path }, when) => {
      if (copied || when !== 'before' || method !== 'PUT' || !/space.*points$/.test(path)) return
      copied = true
      await change(writer)
    })
    await builder.rebuild(never)
    expect(copied).toBe(true)
    expect(stored(server, 'a')).toEqual(left)
    expect(stored(server, 'b')).toEqual(['slate old', 'slate old', 'slate old'])
  })

  it('copies a document in several requests if it is too large for one', async () => {
    const index = await open()
    const large = passagesOf('a', 'old', 120).map(({ passage, vector }) => ({
      passage: { ...passage, text: `slate ${'x'.repeat(300_000)}` },
      vector,
    }))
    await index.write('t', documentOf('a'), large, never)
    await index.rebuild(never)
    expect(stored(server, 'a')).toHaveLength(120)
  })

  it('leaves everything unchanged if it is stopped at any step, and may start again', { timeout: 60_000 }, async () => {
    const index = await open()
    for (let [at, ended] = [1, false]; !ended; at += 1) {
      const [builder, stop] = [await open(at % 2 ? 'scalar' : 'binary'), new AbortController()]
      for (const id of few) await put(index, id)
      let steps = 0
      server.watch((_, when) => {
        if (when === 'before' && (steps += 1) === at) stop.abort(new Error('stop'))
      })
      await builder.rebuild(stop.signal).catch((error: unknown) => expect(error).toBe(stop.signal.reason))
      server.watch(null)
      ended = steps < at
      expect(await passagesFound(index), `step ${at}`).toEqual([two, two])
      await put(index, 'b', 'new', 4)
      expect((await passagesFound(index))[0]).toEqual({ ...two, b: 'new 4' })
      await builder.rebuild(never)
      expect((await passagesFound(index))[0]).toEqual({ ...two, b: 'new 4' })
      expect(quantised().at(-1)).toHaveProperty(at % 2 ? 'scalar' : 'binary')
      expect(at).toBeLessThan(60)
    }
    expect(server.store.aliases.size).toBe(2)
  })

  it('is rejected during another rebuild, which continues', async () => {
    const [index, first, second] = [await open(), await open('scalar'), await open('binary')]
    for (const id of few) await put(index, id)
    let [inside, refusal]: [boolean, unknown] = [false, null]
    server.watch(async ({ path }) => {
      if (inside || !path.endsWith('/scroll')) return
      inside = true
      refusal ??= await second.rebuild(never).catch((error: unknown) => error)
      inside = false
    })
    await first.rebuild(never)
    server.watch(null)
    expect(String((refusal as Error).cause)).toMatch(
      /is already being rebuilt into plumbline\.space\.one-\w+\.4\.\d+-\w+\. If that rebuild has died, delete this collection/,
    )
    expect(quantised()).toEqual([expect.objectContaining({ scalar: expect.anything() as unknown })])
    expect(await passagesFound(index)).toEqual([two, two])
  })

  it('copies vectors unchanged', async () => {
    const index = await open()
    await index.write('t', documentOf('x'), [{ ...passagesOf('x', 'v', 1)[0]!, vector: along(3, 4) }], never)
    await index.rebuild(never)
    const [found] = await index.search(
      scope,
      { text: '', vector: { space: 'one', values: along(3, 4) } },
      onlyMethod('similarity', { k: 1 }),
      never,
    )
    expect(found?.scores.similarity).toBeCloseTo(1, 5)
  })

  it('does nothing without written documents', async () => {
    await (await open()).rebuild(never)
    expect(spaces()).toEqual([])
  })
})
