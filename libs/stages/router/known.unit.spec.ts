import { describe, expect, it } from 'vitest'
import type { AnswerCache } from '@plumbline/adapters/redis'
import { admitted, after, asking } from '@plumbline/flow/spec/given.spec'
import type { Embedder } from '@plumbline/ports/embedder'
import { catalog, workOn } from '../work.spec'
import { knownBefore } from './known'
import { route } from './route'

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

describe('a question of a thread', () => {
  const inThread = {
    runId: 'r0',
    status: 'answered' as const,
    question: 'How heavy is Venus?',
    text: 'Heavy.',
    passageIds: [],
  }
  const asked = async (to: 'research' | 'reply') => {
    const looked: (string | undefined)[] = []
    const handler = route({
      skills: {
        route: () =>
          Promise.resolve({
            to,
            logic: 'Of planets.',
            collections: [],
            question: 'How heavy is Mars?',
            summary: 'Planets.',
          }),
      },
      catalog,
      known: ({ run }) => {
        looked.push(run.standalone)
        return Promise.resolve(run.standalone === 'How heavy is Mars?' ? known : null)
      },
    })
    const result = await handler(workOn(after(asking({}, { question: 'And Mars?', inThread }), admitted), 'route'))
    return { result, looked }
  }

  it('is looked for as it stands alone, once it is routed to the documents', async () => {
    const { result, looked } = await asked('research')
    expect(result).toEqual({
      outcome: 'known',
      logic: expect.stringMatching(/answered before/),
      question: 'How heavy is Mars?',
      summary: 'Planets.',
      ...known,
    })
    expect(looked).toEqual([undefined, 'How heavy is Mars?'])
  })

  it('is not looked for where it needs no document', async () =>
    expect(await asked('reply')).toMatchObject({ result: { outcome: 'reply' }, looked: [undefined] }))
})
