import { AppError } from '@plumbline/platform'
import { onlyMethod } from '@plumbline/ports/passage-index/passage-index'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBench, tenant, type Bench } from './spec/bench.spec'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench.close())

const found = async (text: string): Promise<string[]> => {
  const hits = await bench.memory.search(
    { tenant, collections: ['main'], filters: {}, access: 'all' },
    { text, vector: null },
    onlyMethod('bm25', { k: 5 }),
    AbortSignal.timeout(1_000),
  )
  return hits.map(({ passage }) => passage.documentId)
}
const titles = async (id: string): Promise<string[]> => (await bench.passages(id)).map(({ title }) => title)

describe('a title that two documents share', () => {
  it('is followed by the file name, also in the earlier document', async () => {
    const acme = await bench.send('Revenue rose.', { title: 'FORM 10-K', name: 'acme-2023.md' })
    expect(await bench.deliver(bench.jobs[0])).toBe('indexed')
    expect(await titles(acme.id)).toEqual(['FORM 10-K'])
    expect(await found('acme')).toEqual([])
    const birch = await bench.send('Revenue fell.', { title: 'Form 10-K', name: 'birch_2023.md' })
    expect(await bench.deliver(bench.jobs[1])).toBe('indexed')
    expect(bench.jobs.slice(2)).toEqual([{ ...bench.jobs[0], short: undefined }])
    expect(await bench.deliver(bench.jobs[2])).toBe('indexed')
    expect(await titles(acme.id)).toEqual(['FORM 10-K · acme-2023.md'])
    expect(await titles(birch.id)).toEqual(['Form 10-K · birch_2023.md'])
    expect([await found('acme'), await found('birch')]).toEqual([[acme.id], [birch.id]])
    expect((await bench.view(acme.id))?.title).toBe('FORM 10-K')
    expect(bench.jobs).toHaveLength(3)
  })

  it('is followed by the file name in a document that is being indexed', async () => {
    const acme = await bench.send('Revenue rose.', { title: 'FORM 10-K', name: 'acme.md' })
    const still = bench.standStill('before embed')
    const first = bench.deliver(bench.jobs[0])
    await still.reached
    await bench.send('Revenue fell.', { title: 'FORM 10-K', name: 'birch.md' })
    await bench.deliver(bench.jobs[1])
    still.goOn()
    expect(await first).toBe('indexed')
    expect(await titles(acme.id)).toEqual(['FORM 10-K · acme.md'])
  })

  it('is not shared with a document that failed', async () => {
    bench.faults.embed = new AppError('embedder.broken', 'never')
    await bench.send('Revenue rose.', { title: 'FORM 10-K', name: 'acme.md' })
    expect(await bench.deliver(bench.jobs[0])).toBe('failed')
    bench.faults.embed = undefined
    const birch = await bench.send('Revenue fell.', { title: 'FORM 10-K', name: 'birch.md' })
    expect(await bench.deliver(bench.jobs[1])).toBe('indexed')
    expect(await titles(birch.id)).toEqual(['FORM 10-K'])
  })
})
