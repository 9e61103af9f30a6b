import { openCohereReranker } from '@plumbline/adapters/rerankers/cohere-reranker'
import { openOpenAiEmbedder } from '@plumbline/adapters/openai/openai-embedder'
import { centsIn, listPrices } from '@plumbline/adapters/providers/prices'
import { resilience } from '@plumbline/adapters/providers/resilience'
import type { ModelCall } from '@plumbline/contracts'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { indexed } from '@plumbline/testing/indexed'
import { answer } from '@plumbline/testing/model-server/answer'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import type { Scripted } from '@plumbline/testing/model-server/script'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultsWith } from './retrieval-defaults'
import { type RetrievalPorts, retrieve } from './retrieve'

const never = new AbortController().signal
const parts = { ...resilience, backoff: { baseMs: 10, capMs: 20 }, centsOf: centsIn(listPrices) }
const texts = [
  'slate splits into thin plates for roofs',
  'amber floats on salt water',
  'marble takes a polish',
  'basalt cools from lava',
]

let server: ModelServer
let index: PassageIndex
beforeAll(async () => {
  server = await startModelServer()
  index = memoryPassageIndex()
  const { embedder, reranker } = await ports()
  const vectors = await embedder.embed(texts, never)
  for (const [at, text] of texts.entries()) {
    const passage = {
      id: `p${at}`,
      documentId: `d${at}`,
      collection: 'main',
      title: '',
      text,
      headingPath: [],
      position: 0,
    }
    await index.write('t', indexed(`d${at}`, 'main', embedder), [{ passage, vector: vectors[at]! }], never)
  }
  // Loads the libraries, which takes time once per process.
  await reranker?.rerank('slate', texts, 1, never)
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const modelDefaults = defaultsWith({ name: 'text-embedding-3-small' })

/** Opens new models for each search, because a circuit breaker that opened would reject later calls. */
const ports = async (): Promise<RetrievalPorts> => ({
  index,
  embedder: await openOpenAiEmbedder(
    { baseUrl: server.openaiUrl, apiKey: 'k', model: 'text-embedding-3-small' },
    parts,
  ),
  reranker: openCohereReranker({ baseUrl: server.url, apiKey: 'k', model: 'rerank-v3.5' }, parts),
})
const settings = { ...modelDefaults, rerank: { ...modelDefaults.rerank, timeoutMs: 2_000 } }
const ask = async (calls: ModelCall[] = []) =>
  retrieve(
    await ports(),
    {
      scope: { tenant: 't', collections: ['main'], filters: {}, access: 'all' },
      queries: ['plates for roofs'],
      signal: never,
      onCall: (call) => void calls.push(call),
    },
    settings,
  )

const troubles: Record<string, Scripted> = {
  'is down': answer.status(500),
  'is slow': answer.hang(),
  trickles: answer.trickle({ everyMs: 1_000 }),
  'is limited': answer.limited(30),
  resets: answer.reset('before-headers'),
  'refuses its key': answer.status(401),
  'answers something else': answer.typed(),
}

describe('retrieval with models', () => {
  it('ranks by them, and tells what they cost', async () => {
    const calls: ModelCall[] = []
    const { passages, degraded } = await ask(calls)
    expect(degraded).toEqual([])
    expect(passages[0]).toMatchObject({
      id: 'p0',
      scores: { rerank: expect.any(Number), similarity: expect.any(Number) },
    })
    expect(calls.map(({ skill, model }) => [skill, model])).toEqual([
      ['embed', 'text-embedding-3-small'],
      ['rerank', 'rerank-v3.5'],
    ])
    expect(calls.every(({ usage }) => usage.cents > 0)).toBe(true)
    expect(server.faults).toEqual([])
  })

  it.each(Object.entries(troubles))('continues if the reranker %s, and says so', async (_, trouble) => {
    server.script({ kind: 'rerank' }, trouble)
    const began = Date.now()
    const { passages, degraded } = await ask()
    expect(degraded).toEqual(['reranker'])
    expect(passages[0]).toMatchObject({ id: 'p0', scores: { fused: expect.any(Number) } })
    expect(Date.now() - began).toBeLessThan(settings.rerank.timeoutMs + 10_000)
    expect(server.calls('rerank').length).toBeLessThanOrEqual(3)
  })

  it('continues with words alone if the embedder is down, and says so', async () => {
    server.script({ kind: 'embeddings' }, answer.status(500))
    const { passages, degraded } = await ask()
    expect(degraded).toEqual(['embedder'])
    expect(passages[0]?.id).toBe('p0')
  })
})
