import { CohereRerank } from '@langchain/cohere'
import { ChatOpenAI, OpenAIEmbeddings, type ClientOptions } from '@langchain/openai'
import { CohereClientV2, type CohereClient } from 'cohere-ai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answer } from './answer'
import { startModelServer, type ModelServer } from './model-server'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ cachedTokens: 2 })
})
afterEach(() => {
  expect(server.faults).toEqual([])
  server.reset()
})
afterAll(() => server.close())

const configuration = (): ClientOptions => ({ baseURL: server.openaiUrl })
const chat = (more: ConstructorParameters<typeof ChatOpenAI>[0] = {}): ChatOpenAI =>
  new ChatOpenAI({
    model: 'gpt-4.1-mini',
    apiKey: 'a-key-that-is-not-kept',
    temperature: 0,
    maxRetries: 0,
    configuration: configuration(),
    ...more,
  })

const Route = z.object({
  kind: z.enum(['research', 'decline']),
  logic: z.string(),
  waitsFor: z.number().int().nullable(),
  parts: z.array(z.string()).min(1),
})

describe('ChatOpenAI', () => {
  it('gets text with its usage, and is recorded without its key', async () => {
    server.script(/business hours/, 'Nine to five.')
    const said = await chat().invoke([
      ['system', 'Be brief.'],
      ['user', 'What are the business hours?'],
    ])
    expect(said.text).toBe('Nine to five.')
    expect(said.usage_metadata).toMatchObject({
      input_tokens: 10,
      output_tokens: 4,
      input_token_details: { cache_read: 2 },
    })
    const [call] = server.calls('chat')
    expect(call).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      authorized: true,
      model: 'gpt-4.1-mini',
      outcome: 'answered',
      status: 200,
      concurrency: 1,
      body: { temperature: 0 },
      usage: { prompt: 10, completion: 4, cached: 2 },
    })
    expect(JSON.stringify(server.requests)).not.toContain('a-key-that-is-not-kept')
  })

  it.each(['jsonSchema', 'functionCalling', 'jsonMode'] as const)('gets structured output by %s', async (method) => {
    const route = { kind: 'decline', logic: 'not ours', waitsFor: null, parts: ['a'] }
    server.script(method === 'jsonMode' ? /weather/ : 'route', answer.json(route))
    const asked = chat().withStructuredOutput(Route, {
      name: 'route',
      method,
      ...(method !== 'jsonMode' && { strict: true }),
    })
    expect(await asked.invoke('The weather in Altamura, as JSON?')).toEqual(route)
  })

  it('gets the smallest instance of a schema without a script', async () => {
    const asked = chat().withStructuredOutput(Route, { name: 'route', strict: true })
    expect(await asked.invoke('Anything?')).toEqual({ kind: 'research', logic: '', waitsFor: null, parts: [''] })
  })

  it('streams, with usage at the end', async () => {
    server.script({ model: 'gpt-4.1-mini' }, 'Two words  and more.\n')
    const pieces: string[] = []
    let usage: unknown
    for await (const chunk of await chat().stream('Say something')) {
      pieces.push(chunk.text)
      usage = chunk.usage_metadata ?? usage
    }
    expect(pieces.join('')).toBe('Two words  and more.\n')
    expect(pieces.filter(Boolean).length).toBeGreaterThan(2)
    expect(usage).toMatchObject({ output_tokens: 6 })
  })

  it('receives a refusal', async () => {
    server.script('route', answer.refused('I will not.'))
    const said = await chat({ __includeRawResponse: true }).invoke('Do it', {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'route',
          strict: true,
          schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
        },
      },
    })
    expect(said.additional_kwargs.__raw_response).toMatchObject({
      choices: [{ message: { content: null, refusal: 'I will not.' } }],
    })
  })
})

describe('OpenAIEmbeddings', () => {
  it('gets vectors, like texts near each other', async () => {
    const embeddings = new OpenAIEmbeddings({
      apiKey: 'k',
      encodingFormat: 'float',
      dimensions: 256,
      maxRetries: 0,
      configuration: configuration(),
      model: 'text-embedding-3-small',
    })
    const [stones, stone, planets] = await embeddings.embedDocuments([
      'Slate makes roofs of stone',
      'Roofs made from slate',
      'Mars has two moons',
    ])
    const likeness = (a: number[] = [], b: number[] = []): number =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    expect(stones).toHaveLength(256)
    expect(likeness(stones, stones)).toBeCloseTo(1)
    expect(likeness(stones, stone)).toBeGreaterThan(likeness(stones, planets) + 0.3)
    expect(server.calls('embeddings')[0]?.body).toMatchObject({ dimensions: 256, encoding_format: 'float' })
  })
})

describe('CohereRerank', () => {
  const documents = ['Amber floats on salt water.', 'Slate makes good roofs.', 'Mars has two moons.']
  it('gets an order', async () => {
    const client: unknown = new CohereClientV2({ token: 'k', environment: server.url })
    const reranker = new CohereRerank({ client: client as CohereClient, model: 'rerank-english-v3.0', topN: 2 })
    const order = await reranker.rerank(documents, 'How many moons has Mars?')
    expect(order.map(({ index }) => index)).toEqual([2, 0])
    expect(order[0]!.relevanceScore).toBeGreaterThan(order[1]!.relevanceScore)
    expect(server.calls('rerank')).toMatchObject([{ path: '/v2/rerank', authorized: true }])
  })
})
