import { describe, expect, it } from 'vitest'
import type { AnswerCache } from '@plumbline/adapters/redis'
import { admitted, after, asking } from '@plumbline/flow/spec/given.spec'
import type { Embedder } from '@plumbline/ports/embedder'
import { workOn } from '../work.spec'
import { knownBefore } from './known'

const usage = { calls: 1, tokensIn: 4, tokensOut: 0, cents: 0.01 }
const known = {
  from: { runId: 'r0', at: '2027-01-15T08:00:00.000Z' },
  text: 'Heavy.',
  citations: [],
  passages: [],
  check: { claims: [], parts: [], support: 'full' as const, usefulness: 5, confidence: 1, tooBroad: false },
}
const work = () => workOn(after(asking(), admitted), 'route')
const embedder: Embedder = {
  name: 'spec',
  dimensions: 1,
  embed: (texts, _signal, onCall) => {
    onCall?.({ model: 'spec', usage })
    return Promise.resolve(texts.map(() => new Float32Array([1])))
  },
}
const cache: AnswerCache = { mayKnow: () => true, look: () => Promise.resolve(known) }

describe('what is known from before', () => {
  it('is looked for by the vector of the question, whose cost is told', async () => {
    const seen: unknown[] = []
    const looked = await knownBefore(
      { ...cache, look: (run, asked) => Promise.resolve((seen.push(run.question, asked), known)) },
      embedder,
    )({ ...work(), onCall: (call) => void seen.push(call) })
    expect(looked).toBe(known)
    expect(seen).toEqual([
      { skill: 'embed', model: 'spec', usage },
      'How heavy is Mars?',
      { vector: new Float32Array([1]), embedder: 'spec' },
    ])
  })

  it('is nothing, for which nothing is paid, where the question is none to be kept', async () => {
    const seen: unknown[] = []
    expect(
      await knownBefore(
        { ...cache, mayKnow: () => false },
        embedder,
      )({ ...work(), onCall: (call) => void seen.push(call) }),
    ).toBeNull()
    expect(seen).toEqual([])
  })

  it.each<[string, AnswerCache, Embedder]>([
    ['the embedder is down', cache, { ...embedder, embed: () => Promise.reject(new Error('down')) }],
    ['the cache knows none', { ...cache, look: () => Promise.resolve(null) }, embedder],
    ['the embedder says nothing', cache, { ...embedder, embed: () => Promise.resolve([]) }],
  ])('is nothing where %s', async (_, kept, by) => expect(await knownBefore(kept, by)(work())).toBeNull())

  it('ends with the task', async () => {
    const failing: Embedder = { ...embedder, embed: (_texts, signal) => Promise.reject(signal.reason as Error) }
    await expect(
      knownBefore(cache, failing)({ ...work(), signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop')
  })
})
