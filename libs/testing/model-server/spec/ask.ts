import type { ModelServer } from '../model-server'

export type ServerResponse = { status: number; headers: Headers; body: unknown }

const headers = { 'content-type': 'application/json', authorization: 'Bearer a-secret' }
const user = (content: string): object[] => [{ role: 'user', content }]

export const post = (server: ModelServer, path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  })

export const ask = async (server: ModelServer, more: object = {}, signal?: AbortSignal): Promise<ServerResponse> => {
  const response = await post(
    server,
    '/v1/chat/completions',
    { model: 'm', messages: user('A question'), ...more },
    signal,
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

export const stream = (server: ModelServer, more: object = {}, signal?: AbortSignal): Promise<Response> =>
  post(server, '/v1/chat/completions', { model: 'm', messages: user('A question'), stream: true, ...more }, signal)

export const contentOf = ({ body }: ServerResponse): unknown =>
  (body as { choices: { message: { content: unknown } }[] }).choices[0]?.message.content

export const chunksOf = async (response: Response): Promise<object[]> => {
  const events = (await response.text()).split('\n\n').filter(Boolean)
  if (events.at(-1) !== 'data: [DONE]') throw new Error('the stream did not end')
  return events.slice(0, -1).map((event) => JSON.parse(event.replace(/^data: /, '')) as object)
}

export const route = {
  type: 'json_schema',
  json_schema: {
    name: 'route',
    strict: true,
    schema: {
      type: 'object',
      properties: { kind: { type: 'string', enum: ['research', 'decline'] }, score: { type: 'number' } },
      required: ['kind', 'score'],
      additionalProperties: false,
    },
  },
}

const tools = [{ type: 'function', function: { name: 'route', parameters: route.json_schema.schema } }]
export const forced = { tools, tool_choice: { type: 'function', function: { name: 'route' } } }
