import OpenAI, {
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  UnprocessableEntityError,
} from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { openaiDocument } from '@plumbline/testing/model-server/openai/document'
import { openHouse, type House } from './house.spec'

let house: House
beforeAll(async () => {
  house = await openHouse({ apiKeys: 'asker-of-a:a:asker,desk-of-a:a:reviewer' })
})
afterAll(() => house.close())

const clientFor = (apiKey: string): OpenAI => new OpenAI({ apiKey, baseURL: `${house.url}/v1`, maxRetries: 0 })
const messages = [{ role: 'user' as const, content: 'How heavy is Mars?' }]
const body = (fields: object = {}) => ({ model: 'standard', messages, ...fields })

/** Expects that the value is valid by OpenAI's API description. Checks nothing if the description is missing. */
const isOpenai = async (schema: string, value: unknown): Promise<void> =>
  expect((await openaiDocument())?.faultsOf(schema, value) ?? []).toEqual([])

describe('invalid requests', () => {
  type Refused = { status: number; error: { message: string; param: string | null; code: string } }
  const refused = async (fields: object, key = 'asker-of-a'): Promise<Refused> => {
    const asking = clientFor(key).chat.completions.create(body(fields))
    const { status, error } = await asking.then(
      () => {
        throw new Error('it was taken')
      },
      (error: unknown) => error as Refused,
    )
    await isOpenai('ErrorResponse', { error })
    return { status, error }
  }

  it('is refused as the official client knows it', async () => {
    const { completions } = clientFor('asker-of-a').chat
    await expect(clientFor('nobody-knows').chat.completions.create(body())).rejects.toThrow(AuthenticationError)
    await expect(clientFor('desk-of-a').chat.completions.create(body())).rejects.toThrow(PermissionDeniedError)
    await expect(completions.create(body({ model: 'gpt-4o' }))).rejects.toThrow(NotFoundError)
    await expect(completions.create(body({ n: 2 }))).rejects.toThrow(BadRequestError)
    const headers = { 'idempotency-key': 'first-1' }
    const known = createClient({ url: house.url, key: 'asker-of-a' })
    await known.ask({ question: 'And Venus?' }, { idempotencyKey: 'first-1' })
    await expect(completions.create(body(), { headers })).rejects.toThrow(UnprocessableEntityError)
    expect(await refused({}, 'nobody-knows')).toMatchObject({ status: 401, error: { code: 'invalid_api_key' } })
    const { error } = await refused({ model: 'gpt-4o' })
    expect(error).toMatchObject({ param: 'model', code: 'model_not_found', type: 'invalid_request_error' })
    expect(error.message).toContain('plumbline, standard')
  })

  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
  const wrong: [string, object, string, RegExp][] = [
    ['no message', { messages: [] }, 'messages', /at least 1/],
    [
      'a prefilled answer',
      { messages: [...messages, { role: 'assistant', content: 'It' }] },
      'messages',
      /end the messages with/,
    ],
    ['only instructions', { messages: [{ role: 'system', content: 'Hi' }] }, 'messages', /end the messages with/],
    ['an empty question', { messages: [{ role: 'user', content: ' ' }] }, 'messages.0.content', /write a question/],
    [
      'a long one',
      { messages: [{ role: 'user', content: 'x'.repeat(4_001) }] },
      'messages.0.content',
      /fewer than 4,000/,
    ],
    ['an image', { messages: [{ role: 'user', content: [image] }] }, 'messages.0.content', /text/],
    [
      'a tool’s result',
      { messages: [{ role: 'tool', content: 'x', tool_call_id: 'a' }] },
      'messages.0.role',
      /tools.* not supported/,
    ],
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }, 'tools', /tools.* not supported/],
    ['many answers', { n: 3 }, 'n', /one answer/],
    ['probabilities', { logprobs: true }, 'logprobs', /not supported/],
    ['JSON', { response_format: { type: 'json_object' } }, 'response_format.type', /answers are text/],
    ['sound', { modalities: ['text', 'audio'] }, 'modalities.1', /answers are text/],
    ['a field nobody knows', { top_k: 4 }, 'top_k', /no such field/],
    ['an extension nobody knows', { plumbline: { colection: 'x' } }, 'plumbline.colection', /no such field/],
    ['a collection nobody has', { plumbline: { collection: 'x' } }, 'collection', /x/],
    ['a list with such a collection', { plumbline: { collection: ['x'] } }, 'collection', /x/],
  ]
  it.each(wrong)('%s is a 400 that names the field', async (_, fields, param, message) => {
    const { status, error } = await refused(fields)
    expect({ status, param: error.param }).toEqual({ status: 400, param })
    expect(error.message).toMatch(message)
  })

  it('invalid or oversized JSON is refused in the same format', async () => {
    const send = (sent: string) =>
      fetch(`${house.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer asker-of-a', 'content-type': 'application/json' },
        body: sent,
      })
    for (const [sent, status] of [
      ['{', 400],
      [JSON.stringify({ a: 'x'.repeat(1_100_000) }), 413],
    ] as const) {
      const answer = await send(sent)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json'])
      await isOpenai('ErrorResponse', await answer.json())
    }
  })
})

describe('the models', () => {
  it('are the policies, and one that names none', async () => {
    const { data } = await clientFor('asker-of-a').models.list()
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['plumbline', 'standard', 'agentic']))
    await isOpenai('ListModelsResponse', { object: 'list', data })
    const one = await clientFor('asker-of-a').models.retrieve('self-rag')
    await isOpenai('Model', one)
    expect(one).toMatchObject({ id: 'self-rag', owned_by: 'plumbline' })
    await expect(clientFor('asker-of-a').models.retrieve('gpt-4o')).rejects.toThrow(NotFoundError)
    await expect(clientFor('desk-of-a').models.list()).rejects.toThrow(PermissionDeniedError)
  })
})
