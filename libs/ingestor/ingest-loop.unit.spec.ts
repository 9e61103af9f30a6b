import { lexicalEmbedder } from '@plumbline/adapters/offline'
import { AppError, silent } from '@plumbline/platform'
import { memoryPassageIndex } from '@plumbline/ports/passage-index'
import { createGate, createHeld } from '@plumbline/worker'
import { describe, expect, it } from 'vitest'
import { createIngestLoop, ingestLimits } from './ingest-loop'

const delivery = { documentId: 'd1', tries: 1, redelivered: false }

const benchOf = (embed = lexicalEmbedder.embed, catalogError?: Error) => {
  const told: string[] = []
  const draining = new AbortController()
  const process = { gate: createGate(), held: createHeld(), draining: draining.signal }
  const loop = createIngestLoop({
    catalog: {
      source: () => (catalogError ? Promise.reject(catalogError) : Promise.resolve({ tenant: 't', document: { title: 'T', text: 'Some text.', format: 'text', collection: 'main' } })),
      collection: () => Promise.resolve(null),
      progress: (_, status, { error }) => {
        told.push(error ? `${status}: ${error}` : status)
        return Promise.resolve(true)
      },
      noteHeadings: () => Promise.resolve(),
    },
    index: memoryPassageIndex(),
    embedder: { ...lexicalEmbedder, embed },
    limits: { ...ingestLimits, timeoutMs: 50 },
    process,
    log: silent,
  })
  return { loop, told, process, draining }
}
const failing = (error: Error) => () => Promise.reject(error)
const hanging = (_texts: string[], signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))

describe('a document delivered', () => {
  it('is done when it is indexed', async () => {
    const { loop, told } = benchOf()
    expect(await loop(delivery)).toEqual({ kind: 'done' })
    expect(told).toEqual(['processing', 'indexed'])
  })

  it('comes again later, each time after a longer pause, and is given up at last', async () => {
    const { loop, told } = benchOf(failing(new Error('broken')))
    const pauses = []
    for (let tries = 1; tries < ingestLimits.tries; tries += 1) pauses.push(await loop({ ...delivery, tries }))
    expect(pauses.map((each) => each.kind === 'later' && each.inMs)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
    expect(await loop({ ...delivery, tries: ingestLimits.tries })).toEqual({ kind: 'done' })
    expect(told).toEqual([expect.stringMatching(/^failed: The document could not be indexed/)])
  })

  it('is never given up for a port that is down', async () => {
    const { loop, told } = benchOf(failing(new AppError('embedder.down', 'later')))
    expect(await loop({ ...delivery, tries: 50 })).toEqual({ kind: 'later', inMs: ingestLimits.longestBackoffMs })
    expect(told).toEqual([])
  })

  it('comes again when the catalog does not answer', async () => {
    const { loop } = benchOf(undefined, new AppError('store.down', 'later'))
    expect(await loop(delivery)).toEqual({ kind: 'later', inMs: 1_000 })
  })

  it('is given up when it took its process down again and again', async () => {
    const { loop, told } = benchOf()
    expect(await loop({ ...delivery, redelivered: true, tries: ingestLimits.tries + 1 })).toEqual({ kind: 'done' })
    expect(told).toEqual([expect.stringMatching(/^failed: /)])
  })

  it('is tried alone when it took its process down before', async () => {
    const { loop, process, told } = benchOf()
    const other = await process.gate.enter(false, new AbortController().signal)
    const suspect = loop({ ...delivery, redelivered: true, tries: 2 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(told).toEqual([])
    other?.leave()
    expect(await suspect).toEqual({ kind: 'done' })
    expect(told).toEqual(['processing', 'indexed'])
  })

  it('is stopped at its time limit', async () => {
    const { loop } = benchOf(hanging)
    expect(await loop(delivery)).toEqual({ kind: 'later', inMs: 1_000 })
  })

  it('goes back at once when the worker drains', async () => {
    const { loop, process, draining } = benchOf(hanging)
    const held = loop(delivery)
    await new Promise((resolve) => setImmediate(resolve))
    process.held.stopAll('drain')
    expect(await held).toEqual({ kind: 'back' })
    draining.abort()
    expect(await loop(delivery)).toEqual({ kind: 'back' })
  })
})
