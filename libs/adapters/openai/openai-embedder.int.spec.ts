import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { embedderContract } from '@plumbline/ports/embedder.contract'
import type { Embedder } from '@plumbline/ports/search-models'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { openOpenAiEmbedder } from './openai-embedder'

const never = new AbortController().signal
let server: ModelServer
let small: Embedder
const open = (more: { model?: string; dimensions?: number } = {}): Promise<Embedder> =>
  openOpenAiEmbedder({ baseUrl: server.openaiUrl, apiKey: 'a-key', model: 'text-embedding-3-small', ...more })

beforeAll(async () => {
  server = await startModelServer()
  small = await open()
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const opened: Embedder = {
  get name() {
    return small.name
  },
  get dimensions() {
    return small.dimensions
  },
  embed: (texts, signal) => small.embed(texts, signal),
}
embedderContract('openai', () => opened)

const sizes = (): number[] => server.calls('embeddings').map(({ body }) => (body as { input: string[] }).input.length)

describe('the embedder of an OpenAI-compatible server', () => {
  it('has a name that contains its model and its host', () => {
    expect(small.name).toBe(`text-embedding-3-small at ${new URL(server.url).host}`)
    expect(small.dimensions).toBe(1_536)
  })

  it('asks for floats, at most 96 texts at a time, and nothing for texts without words', async () => {
    const texts = Array.from({ length: 200 }, (_, n) => (n % 50 === 7 ? '  ' : `text ${n}`))
    const vectors = await small.embed(texts, never)
    expect(sizes()).toEqual([96, 96, 4])
    expect(server.faults).toEqual([])
    expect(server.calls('embeddings')[0]?.body).toMatchObject({ encoding_format: 'float' })
    expect(vectors[57]?.every((value) => value === 0)).toBe(true)
    const [alone] = await small.embed(['text 199'], never)
    expect(vectors[199]).toEqual(alone)
  })

  it('sends small requests even if texts are long', async () => {
    await small.embed(
      Array.from({ length: 60 }, () => 'é'.repeat(15_000)),
      never,
    )
    expect(Math.max(...sizes())).toBeLessThan(30)
    expect(sizes().reduce((sum, size) => sum + size, 0)).toBe(60)
  })

  it('requests the vector length that is set', async () => {
    const short = await open({ dimensions: 256 })
    expect(short.name).toMatch(/\(256\)$/)
    expect((await short.embed(['slate'], never))[0]).toHaveLength(256)
    expect(server.calls('embeddings')[0]?.body).toMatchObject({ dimensions: 256 })
  })

  it('learns the vector length of an unknown model', async () => {
    server.script(
      { kind: 'embeddings' },
      answer.json({
        object: 'list',
        model: 'nomic',
        data: [{ object: 'embedding', index: 0, embedding: [3, 4] }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    )
    const other = await open({ model: 'nomic-embed-text' })
    expect(other.dimensions).toBe(2)
    expect((await other.embed(['slate'], never))[0]).toEqual(Float32Array.from([0.6, 0.8]))
  })

  it('orders vectors by their index', async () => {
    const of = (index: number, embedding: number[]) => ({ object: 'embedding', index, embedding })
    server.script(
      { kind: 'embeddings' },
      answer.json({
        object: 'list',
        model: 'm',
        data: [of(1, [0, 1]), of(0, [1, 0])],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    )
    expect(await (await open({ model: 'm', dimensions: 2 })).embed(['a', 'b'], never)).toEqual([
      Float32Array.from([1, 0]),
      Float32Array.from([0, 1]),
    ])
  })

  it('names the setting to check if the length differs or a vector is missing', async () => {
    server.script(
      { kind: 'embeddings' },
      answer.json({
        object: 'list',
        model: 'm',
        data: [{ object: 'embedding', index: 0, embedding: [1, 0] }],
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    )
    const two = await open({ model: 'm', dimensions: 3 })
    await expect(two.embed(['a'], never)).rejects.toMatchObject({
      code: 'provider.rejected',
      cause: { message: expect.stringContaining('EMBEDDING_DIMENSIONS') },
    })
    await expect(two.embed(['a', 'b'], never)).rejects.toMatchObject({ code: 'provider.down', retry: 'later' })
  })
})
