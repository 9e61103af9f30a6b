import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatModelContract, type ChatModelBench } from '@plumbline/ports/chat-model.contract'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatRequest, ProviderCall } from '@plumbline/ports/chat-model'
import { chatModelOver } from '../providers/resilient-ports'
import { guard, resilience } from '../providers/resilience'
import { openAiChatProvider, type ChatOptions } from './openai-chat-model'

const open = (options: ChatOptions) => chatModelOver([guard(openAiChatProvider(options), resilience)], resilience)

const benchOf = async (prepare: (server: ModelServer) => void = () => undefined): Promise<ChatModelBench> => {
  const server = await startModelServer()
  prepare(server)
  return {
    model: open({ baseUrl: server.openaiUrl, apiKey: 'a-key', model: 'gpt-4.1-mini' }),
    says: (text) => server.script(() => true, answer.text(text)),
    refuses: (reason) => server.script(() => true, answer.refused(reason)),
    hangs: () => server.script(() => true, answer.hang()),
    reached: () => server.calls('chat').length,
    close: () => server.close(),
  }
}

chatModelContract('a server that knows JSON schemas', () => benchOf())
chatModelContract('a server that knows only tools', () => benchOf((server) => server.unsupported('json_schema')))
chatModelContract('a server that knows neither', () =>
  benchOf((server) => {
    server.unsupported('json_schema')
    server.unsupported('tools')
  }),
)
chatModelContract('a server that passes over schemas', () =>
  benchOf((server) => server.unsupported('json_schema', 'ignored')),
)
chatModelContract('a server that refuses to stream', () => benchOf((server) => server.unsupported('stream')))
chatModelContract('a server that passes over the wish to stream', () =>
  benchOf((server) => server.unsupported('stream', 'ignored')),
)

type Answer = { status?: number; body: unknown }
const key = 'sk-not-to-be-seen'
const said = (text: string): Answer => ({
  body: { choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }] },
})

/** This server also records URLs and headers, unlike the model server that the other specs use. */
let server: Server
let url: string
let seen: { url: string; headers: IncomingHttpHeaders }[]
let next: Answer
beforeEach(async () => {
  seen = []
  next = said('Yes.')
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers })
    request.resume().on('end', () => {
      response.writeHead(next.status ?? 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(next.body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const chat = async (options: Partial<ChatOptions> = {}, more: Partial<ChatRequest> = {}) => {
  const calls: ProviderCall[] = []
  const model = open({ baseUrl: `${url}/v1`, model: 'gpt-4.1', ...options })
  const reply = await model
    .chat({
      messages: [{ role: 'user', content: 'Does slate split?' }],
      temperature: 0,
      maxTokens: 200,
      onCall: (call) => void calls.push(call),
      signal: new AbortController().signal,
      ...more,
    })
    .catch((error: unknown) => error)
  return { reply, calls }
}

describe('servers', () => {
  it('of Azure get the key in their own header and the version in the query', async () => {
    await chat({ baseUrl: `${url}/openai/deployments/mine/`, apiKey: key, apiVersion: '2024-10-21' })
    expect(seen[0]?.url).toBe('/openai/deployments/mine/chat/completions?api-version=2024-10-21')
    expect(seen[0]?.headers).toMatchObject({ 'api-key': key })
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
  })

  it('that need no key get none', async () => {
    await chat()
    expect(seen[0]?.url).toBe('/v1/chat/completions')
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
    await chat({ apiKey: key })
    expect(seen[1]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  it('that report no usage get an estimated usage', async () => {
    const { calls } = await chat()
    expect(calls[0]?.usage).toMatchObject({ tokensIn: 5, tokensOut: 1 })
  })

  it('that filter the prompt count as a refusal', async () => {
    next = {
      status: 400,
      body: {
        error: {
          message: 'The response was filtered due to the prompt triggering the content management policy.',
          code: 'content_filter',
          param: 'prompt',
        },
      },
    }
    const { reply, calls } = await chat()
    expect(reply).toMatchObject({ kind: 'refused' })
    expect(calls).toHaveLength(1)
  })

  it.each([
    [401, 'OPENAI_API_KEY'],
    [403, 'OPENAI_API_KEY'],
    [404, 'MODEL_SMALL and MODEL_STRONG and OPENAI_BASE_URL'],
  ])('that answer %i are reported with the setting to check, and without the key', async (status, setting) => {
    next = { status, body: { error: { message: `Something is wrong with ${key}.` } } }
    const { reply } = await chat({ apiKey: key })
    expect(reply).toMatchObject({ code: 'provider.rejected', retry: 'never' })
    const told = String((reply as Error & { cause: Error }).cause.message)
    expect(told).toContain(setting)
    expect(told).toContain('Something is wrong with ….')
    expect(JSON.stringify(reply) + told).not.toContain(key)
  })

  it('that answer with a text in place of an error are understood', async () => {
    next = { status: 400, body: { error: 'context length exceeded' } }
    expect((await chat()).reply).toMatchObject({
      cause: { message: expect.stringContaining('context length exceeded') },
    })
    next = { status: 422, body: { detail: [{ msg: 'extra' }] } }
    expect((await chat()).reply).toMatchObject({ code: 'provider.rejected' })
  })

  it('that cache report the number of cached tokens', async () => {
    next = {
      body: {
        ...(said('Yes.').body as object),
        usage: {
          prompt_tokens: 2_000,
          completion_tokens: 1,
          total_tokens: 2_001,
          prompt_tokens_details: { cached_tokens: 1_500 },
        },
      },
    }
    expect((await chat()).calls[0]?.usage).toMatchObject({ tokensIn: 2_000, tokensCached: 1_500, tokensOut: 1 })
  })
})
