import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import { tenant } from '@plumbline/ingestor/spec/bench.spec'
import { openSourceBench, shortLeaseMs, type SourceBench, standingStill } from './spec/sources.spec'

let bench: SourceBench
let runner: { stop(): Promise<void> } | undefined
beforeEach(async () => void (bench = await openSourceBench()))
afterEach(async () => {
  await runner?.stop()
  runner = undefined
  await bench.close()
})

const none = { added: 0, changed: 0, moved: 0, removed: 0, unchanged: 0, skipped: 0, failed: 0 }

describe('a run', () => {
  it('imports new and changed files, moves files without parsing them, and removes gone files', async () => {
    const { write, sync, served, counts } = bench
    await bench.add()
    await write('a.md', 'Alpha.')
    await write('b/b.md', 'Beta.')
    await write('c.md', 'Gamma.')
    await write('picture.xyz', 'not read')
    runner = bench.start()
    expect(await sync()).toMatchObject({ counts: { ...none, added: 3, skipped: 1 }, failures: [] })
    expect(await served()).toEqual({ 'docs/a.md': 'Alpha.', 'docs/b/b.md': 'Beta.', 'docs/c.md': 'Gamma.' })
    const parsed = counts.parse
    expect((await sync()).counts).toEqual({ ...none, unchanged: 3, skipped: 1 })
    await write('a.md', 'Alpha two.')
    await bench.move('b/b.md', 'b/moved.md')
    await bench.remove('c.md')
    await write('d.md', 'Delta.')
    expect((await sync()).counts).toEqual({ ...none, added: 1, changed: 1, moved: 1, removed: 1, skipped: 1 })
    expect(await served()).toEqual({ 'docs/a.md': 'Alpha two.', 'docs/b/moved.md': 'Beta.', 'docs/d.md': 'Delta.' })
    expect(counts.parse).toBe(parsed + 2)
    expect(await bench.store.one(tenant, 'docs')).toMatchObject({ documents: 3, status: 'idle' })
    const { items } = await bench.catalog.documents(tenant, { limit: 10, words: 'moved' })
    expect(items).toMatchObject([{ from: { source: 'docs', path: 'b/moved.md' } }])
  })

  it('reports failed files, retries them on request, and removes files that became empty', async () => {
    const { write, sync, served } = bench
    await bench.add()
    await write('good.md', 'Good.')
    await write('bad.md', 'LOCKED')
    runner = bench.start()
    const first = await sync()
    expect(first).toMatchObject({ counts: { ...none, added: 1, failed: 1 } })
    expect(first.failures).toEqual([{ path: 'bad.md', error: 'It is locked. Unlock it and send it again.' }])
    const parsed = bench.counts.parse
    expect(await sync()).toMatchObject({ counts: { ...none, unchanged: 1, failed: 1 } })
    expect(bench.counts.parse).toBe(parsed + 1)
    await write('good.md', '')
    await write('bad.md', 'Open.')
    expect((await sync()).counts).toEqual({ ...none, changed: 1, skipped: 1 })
    expect(await served()).toEqual({ 'docs/bad.md': 'Open.' })
  })

  it('that cannot list the source changes nothing and reports why', async () => {
    const { write, sync, served } = bench
    await bench.add()
    await write('a.md', 'Alpha.')
    runner = bench.start()
    await sync()
    await bench.add({ settings: { kind: 'folder', path: join(bench.folder, 'nowhere') } })
    expect(await sync()).toMatchObject({
      counts: none,
      problem: expect.stringContaining('There is no folder') as string,
    })
    expect(await served()).toEqual({ 'docs/a.md': 'Alpha.' })
  })

  it('with a partial list removes nothing', async () => {
    const { write, sync, served } = bench
    await bench.add()
    await write('a.md', 'Alpha.')
    runner = bench.start()
    await sync()
    await runner.stop()
    await bench.remove('a.md')
    await write('b.md', 'Beta.')
    const openSource: typeof bench.ports.openSource = async (settings, of) => {
      const source = await bench.ports.openSource(settings, of)
      return {
        ...source,
        list: async function* (signal) {
          yield* source.list(signal)
          yield { kind: 'partial', why: 'There are more pages than are listed.' }
        },
      }
    }
    runner = bench.start({ ...bench.ports, openSource })
    expect(await sync()).toMatchObject({
      counts: { ...none, added: 1 },
      problem: 'There are more pages than are listed. Because of this, no documents were removed.',
    })
    expect(Object.keys(await served())).toEqual(['docs/a.md', 'docs/b.md'])
  })

  it('keeps the documents of gone files if they are most of the source, until a confirmation', async () => {
    const { write, sync, served } = bench
    await bench.add()
    for (let n = 0; n < 40; n += 1) await write(`${n}.md`, `Text ${n}.`)
    runner = bench.start()
    await sync()
    for (let n = 0; n < 21; n += 1) await bench.remove(`${n}.md`)
    await write('new.md', 'New.')
    const held = await sync()
    expect(held).toMatchObject({ counts: { ...none, added: 1, unchanged: 19 }, toConfirm: 21 })
    expect(held.problem).toContain('21 of 40 documents are no longer at the source')
    expect(Object.keys(await served())).toHaveLength(41)
    expect((await sync(true)).counts).toEqual({ ...none, removed: 21, unchanged: 20 })
    expect(Object.keys(await served())).toHaveLength(20)
  })

  it.each([1, 2, 20])(
    'keeps all %i documents of a source whose folder is empty, until a confirmation',
    async (count) => {
      const { write, sync, served } = bench
      await bench.add()
      for (let n = 0; n < count; n += 1) await write(`${n}.md`, `Text ${n}.`)
      runner = bench.start()
      await sync()
      for (let n = 0; n < count; n += 1) await bench.remove(`${n}.md`)
      const emptied = await sync()
      expect(emptied).toMatchObject({ counts: none, toConfirm: count })
      expect(Object.keys(await served())).toHaveLength(count)
      expect(await sync(true)).not.toHaveProperty('toConfirm')
      expect(await served()).toEqual({})
    },
  )

  it('keeps the documents of a folder that has only other files now, but moves a moved file', async () => {
    const { write, sync, served } = bench
    await bench.add()
    await write('a.md', 'Alpha.')
    runner = bench.start()
    await sync()
    await bench.move('a.md', 'moved.md')
    expect((await sync()).counts).toEqual({ ...none, moved: 1 })
    await bench.remove('moved.md')
    await write('other.md', 'Other.')
    expect(await sync()).toMatchObject({ counts: { ...none, added: 1 }, toConfirm: 1 })
    expect(await sync()).toMatchObject({ counts: { ...none, unchanged: 1 }, toConfirm: 1 })
    expect(Object.keys(await served())).toEqual(['docs/moved.md', 'docs/other.md'])
    await write('moved.md', 'Alpha.')
    expect(await sync()).toMatchObject({ counts: { ...none, unchanged: 2 } })
    await bench.remove('moved.md')
    expect((await sync()).counts).toEqual({ ...none, removed: 1, unchanged: 1 })
  })

  it('restores documents that were removed by other means', async () => {
    const { write, sync, served } = bench
    await bench.add()
    await write('a.md', 'Alpha.')
    await write('b.md', 'Beta.')
    runner = bench.start()
    await sync()
    const [first] = (await bench.catalog.documents(tenant, { limit: 1 })).items
    await bench.catalog.removeDocument(tenant, first?.id ?? '')
    await bench.memory.remove(tenant, first?.id ?? '', AbortSignal.timeout(1_000))
    expect((await sync()).counts).toEqual({ ...none, changed: 1, unchanged: 1 })
    expect(Object.keys(await served())).toEqual(['docs/a.md', 'docs/b.md'])
  })
})

describe('access rules', () => {
  it('tag documents by path, and their changes apply without parsing anything again', async () => {
    const { write, sync, served } = bench
    await bench.add({ access: [{ paths: 'hr/**', access: ['hr'] }] })
    await write('hr/.pay/pay.md', 'never listed: hidden')
    await write('hr/deep/pay.md', 'Pay.')
    await write('open.md', 'Open.')
    runner = bench.start()
    await sync()
    expect(await served([])).toEqual({ 'docs/open.md': 'Open.' })
    const parsed = bench.counts.parse
    await bench.add({ access: [{ paths: 'open.*', access: ['staff'] }] })
    expect((await sync()).counts).toEqual({ ...none, changed: 2 })
    expect(await served([])).toEqual({ 'docs/hr/deep/pay.md': 'Pay.' })
    expect(await served(['staff'])).toMatchObject({ 'docs/open.md': 'Open.' })
    expect(bench.counts.parse).toBe(parsed)
  })
})

describe('one source', () => {
  it('owns its documents, so nobody else can send a document with such a name', async () => {
    await bench.add()
    await bench.write('a.md', 'Alpha.')
    runner = bench.start()
    await bench.sync()
    await expect(bench.send('Mine.', { name: 'docs/a.md' })).rejects.toMatchObject({ code: 'document.owned' })
    expect(await bench.served()).toEqual({ 'docs/a.md': 'Alpha.' })
  })

  it('rejects late imports of an older run, both over newer content and after a removal', async () => {
    const bring = (run: number, text: string) =>
      acceptDocument(
        { ...bench.ports, queue: { add: () => Promise.resolve() } },
        tenant,
        { collection: 'main', name: 'docs/a.md' },
        { kind: 'text', text },
        { signal: AbortSignal.timeout(5_000), owner: { source: 'docs', path: 'a.md', run } },
      )
    const { id, version } = await bring(5, 'New.')
    await expect(bring(4, 'Old.')).rejects.toMatchObject({ code: 'document.fenced' })
    expect(await bench.view(id)).toMatchObject({ version })
    await bench.catalog.fenceDocument(id, 6)
    await bench.catalog.removeDocument(tenant, id)
    await expect(bring(5, 'Old.')).rejects.toMatchObject({ code: 'document.fenced' })
    expect(await bench.view(id)).toBeNull()
    expect((await bench.catalog.documents(tenant, { limit: 10 })).items).toEqual([])
    expect((await bring(7, 'Back.')).taken).toBe('new')
  })

  it.each(['keep', 'remove'] as const)('can be removed with this option for its documents: %s', async (documents) => {
    await bench.add()
    await bench.write('a.md', 'Alpha.')
    runner = bench.start()
    await bench.sync()
    expect(await bench.store.remove(tenant, 'docs', documents)).toBe('noted')
    await expect.poll(() => bench.store.one(tenant, 'docs')).toBeNull()
    expect(await bench.served()).toEqual(documents === 'keep' ? { 'docs/a.md': 'Alpha.' } : {})
    if (documents === 'remove') return
    const { taken, ...view } = await bench.send('Mine.', { name: 'docs/a.md' })
    expect([taken, view.from]).toEqual(['replaces', undefined])
    await bench.deliver(bench.jobs.at(-1))
    await bench.add()
    await bench.sync()
    expect(await bench.served()).toEqual({ 'docs/a.md': 'Alpha.' })
  })

  it('never has two runs at once, and follows each request', async () => {
    await bench.add()
    await bench.write('a.md', 'Alpha.')
    const other = bench.start()
    runner = bench.start()
    let open = 0
    let most = 0
    const { openSource } = bench.ports
    bench.ports.openSource = async (...args) => {
      most = Math.max(most, (open += 1))
      const source = await openSource(...args)
      return { ...source, close: async () => void (open -= 1) }
    }
    for (let n = 0; n < 5; n += 1) {
      await writeFile(join(bench.folder, 'a.md'), `Alpha ${n}.`)
      expect((await bench.sync()).counts).toMatchObject({ [n === 0 ? 'added' : 'changed']: 1 })
    }
    await other.stop()
    expect(most).toBe(1)
  })
})

/** Imports a first state of the folder, and then changes the folder. */
const change = async ({ write, remove, move, sync, add, start }: SourceBench): Promise<void> => {
  await add()
  for (const name of ['a', 'b', 'c', 'd']) await write(`${name}.md`, `Text of ${name}.`)
  const first = start()
  await sync()
  await first.stop()
  await write('a.md', 'Text of a, changed.')
  await move('b.md', 'moved.md')
  await remove('c.md')
  await write('new.md', 'New text.')
}
const asItIs = {
  'docs/a.md': 'Text of a, changed.',
  'docs/d.md': 'Text of d.',
  'docs/moved.md': 'Text of b.',
  'docs/new.md': 'New text.',
}

describe('a process that is killed at any point', () => {
  it('leaves a source that the next run can complete', { timeout: 120_000 }, async () => {
    await change(bench)
    const whole = standingStill(bench.ports, Infinity)
    const counted = bench.start(whole.ports)
    await bench.sync()
    await counted.stop()
    expect(await bench.served()).toEqual(asItIs)
    const calls = whole.calls.length
    expect(calls).toBeGreaterThan(30)
    for (let at = 1; at < calls; at += 3) {
      const own = await openSourceBench(shortLeaseMs)
      await change(own)
      const killed = standingStill(own.ports, at)
      const dead = own.start(killed.ports)
      // The process may be killed after it recorded its end. Then nothing is left for the next run.
      const before = (await own.store.one(tenant, 'docs'))?.last?.endedAt
      await own.store.run(tenant, 'docs', false)
      await Promise.race([killed.reached, own.settled('docs', before)])
      const next = own.start()
      await own.settled('docs', before)
      expect(await own.served(), `killed at call ${at}, ${whole.calls[at]}`).toEqual(asItIs)
      // The first process was not dead, it only hung. Its late calls must change nothing.
      killed.goOn()
      await dead.stop()
      await own.sync()
      expect(await own.served(), `went on from call ${at}, ${whole.calls[at]}`).toEqual(asItIs)
      await next.stop()
      await own.close()
    }
  })
})
