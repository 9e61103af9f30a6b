import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answer } from '../answer'
import { startModelServer, type ModelServer } from '../model-server'
import { openaiDocument, type OpenaiDocument } from '../openai/document'
import { ask, chunksOf, forced, post, route, stream } from './ask'

describe('held to the OpenAPI document', () => {
  let server: ModelServer
  let known: OpenaiDocument
  beforeAll(async () => {
    server = await startModelServer()
    const document = await openaiDocument()
    if (!document) throw new Error('EVAL_DATA is not set, or has no OpenAPI document of OpenAI in its folder openapi.')
    known = document
  })
  beforeEach(() => server.reset())
  afterAll(() => server.close())

  const asks: [string, object][] = [
    ['text', {}],
    ['an object', { response_format: { type: 'json_object' }, messages: [{ role: 'user', content: 'As JSON' }] }],
    ['structured output', { response_format: route }],
    ['a named tool', forced],
    ['a required tool', { ...forced, tool_choice: 'required' }],
    ['a tool that may be left', { ...forced, tool_choice: 'auto' }],
  ]

  it.each(asks)('a completion with %s is one of OpenAI', async (_, asked) => {
    const { status, body } = await ask(server, asked)
    expect([status, server.faults]).toEqual([200, []])
    expect(known.faultsOf('CreateChatCompletionResponse', body)).toEqual([])
  })

  it.each(asks)('so is each chunk of a stream with %s, and they make the same completion', async (_, asked) => {
    const chunks = await chunksOf(await stream(server, { ...asked, stream_options: { include_usage: true } }))
    expect(server.faults).toEqual([])
    expect(chunks.flatMap((chunk) => known.faultsOf('CreateChatCompletionStreamResponse', chunk))).toEqual([])
    type Delta = { content?: string | null; tool_calls?: { function: { arguments: string } }[] }
    const deltas = (chunks as { choices: { delta: Delta }[] }[]).flatMap(({ choices }) =>
      choices.map(({ delta }) => delta),
    )
    const streamed = deltas
      .map(({ content, tool_calls: calls }) => content ?? calls?.[0]?.function.arguments ?? '')
      .join('')
    const { body } = await ask(server, asked)
    const { choices, usage } = body as { choices: { message: Delta }[]; usage: object }
    expect(streamed).toBe(choices[0]?.message.content ?? choices[0]?.message.tool_calls?.[0]?.function.arguments)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
  })

  it('a refusal and a cut are, too', async () => {
    server.script({}, answer.refused('No.'), answer.text('Filtered', { finish: 'content_filter' }))
    for (let at = 0; at < 2; at += 1)
      expect(
        known.faultsOf('CreateChatCompletionResponse', (await ask(server, { response_format: route })).body),
      ).toEqual([])
    server.script({}, answer.refused('No.'))
    const chunks = await chunksOf(await stream(server, { response_format: route }))
    expect(chunks.flatMap((chunk) => known.faultsOf('CreateChatCompletionStreamResponse', chunk))).toEqual([])
  })

  it('embeddings, models and errors are', async () => {
    for (const input of ['a text', ['two', 'texts'], [1, 2, 3], [[1], [2, 3]]]) {
      const response = await post(server, '/v1/embeddings', { model: 'text-embedding-3-small', input })
      expect(known.faultsOf('CreateEmbeddingResponse', await response.json())).toEqual([])
    }
    const models = await fetch(`${server.openaiUrl}/models`)
    expect(known.faultsOf('ListModelsResponse', await models.json())).toEqual([])
    for (const code of [400, 401, 429, 500, 503]) {
      server.script({}, answer.status(code))
      expect(known.faultsOf('ErrorResponse', (await ask(server)).body)).toEqual([])
    }
    expect(server.faults).toEqual([])
  })

  const wrong: [string, object, RegExp][] = [
    ['no model', { model: undefined }, /required property 'model'/],
    ['no messages', { messages: [] }, /\/messages: must NOT have fewer than 1 items/],
    [
      'a role nobody has',
      { messages: [{ role: 'bot', content: 'a' }] },
      /^\/messages\/0\/role: must be equal to one of the allowed values \(developer, system, user, assistant, tool, function\)$/,
    ],
    [
      'a message without content',
      { messages: [{ role: 'user' }] },
      /^\/messages\/0: must have required property 'content'$/,
    ],
    ['a temperature too high', { temperature: 3 }, /^\/temperature: must be <= 2$/],
    ['a field nobody knows', { top_k: 4 }, /Unrecognized request argument supplied: top_k/],
    [
      'a format nobody knows',
      { response_format: { type: 'xml' } },
      /^\/response_format\/type: must be equal to one of the allowed values \(text, json_schema, json_object\)$/,
    ],
    [
      'a schema without a name',
      { response_format: { type: 'json_schema', json_schema: { schema: {} } } },
      /required property 'name'/,
    ],
    [
      'a name with spaces',
      { response_format: { type: 'json_schema', json_schema: { name: 'a name', schema: {} } } },
      /does not match/,
    ],
    [
      'a strict schema with an optional field',
      {
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'a',
            strict: true,
            schema: { type: 'object', properties: { b: {} }, required: [], additionalProperties: false },
          },
        },
      },
      /Missing 'b'/,
    ],
    ['json_object without the word', { response_format: { type: 'json_object' } }, /must contain the word 'json'/],
    ['a choice without tools', { tool_choice: 'required' }, /only allowed when 'tools'/],
    [
      'a choice of no tool',
      { ...forced, tool_choice: { type: 'function', function: { name: 'other' } } },
      /no tool is named 'other'/,
    ],
    ['usage of no stream', { stream_options: { include_usage: true } }, /only allowed when 'stream'/],
  ]
  it.each(wrong)('%s is refused and recorded', async (_, asked, fault) => {
    const { status, body } = await ask(server, asked)
    expect(status).toBe(400)
    expect(known.faultsOf('ErrorResponse', body)).toEqual([])
    expect((body as { error: { message: string } }).error.message).toMatch(fault)
    expect(server.faults).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ status: 400, outcome: 'answered' })
    expect(server.faults[0]?.faults.join('; ')).toMatch(fault)
  })

  it('so are embeddings it would not make', async () => {
    const bodies = [
      { input: 'a' },
      { model: 'e', input: '' },
      { model: 'e', input: ['a', ''] },
      { model: 'e', input: 'a', dimensions: 0 },
      { model: 'e', input: 'a', encoding_format: 'int8' },
      { model: 'e', input: 'a', truncate: true },
    ]
    for (const body of bodies) expect((await post(server, '/v1/embeddings', body)).status).toBe(400)
    expect(server.faults).toHaveLength(bodies.length)
  })

  it('an answer costs no script when its request is refused', async () => {
    server.script({}, 'First.', 'Second.')
    await ask(server, { temperature: 3 })
    expect((await ask(server)).body).toMatchObject({ choices: [{ message: { content: 'First.' } }] })
  })
})
