import type { ChatModel, ChatRequest, ProviderCall } from '@plumbline/ports/chat-model'
import type { ModelServer } from '@plumbline/testing/model-server/model-server'
import { openAiChatProvider } from '../../openai/openai-chat-model'
import { chatModelOver, type ChatGuard } from '../resilient-ports'
import { guard, resilience, type Resilience } from '../resilience'

type Options = { first: ModelServer | string; second?: ModelServer; parts?: Partial<Resilience>; model?: string }

export const chatOver = ({ first, second, parts = {}, model = 'gpt-4.1' }: Options): ChatModel => {
  const all: Resilience = { ...resilience, backoff: { baseMs: 10, capMs: 50 }, ...parts }
  const at = (server: ModelServer | string): string => (typeof server === 'string' ? server : server.openaiUrl)
  const guards: [ChatGuard, ...ChatGuard[]] = [
    guard(openAiChatProvider({ baseUrl: at(first), apiKey: 'a-key', model }), all),
  ]
  if (second)
    guards.push(
      guard(openAiChatProvider({ baseUrl: at(second), apiKey: 'b-key', model: 'stand-in' }), all, { fallback: true }),
    )
  return chatModelOver(guards, all)
}

const verdict = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { verdict: { type: 'string' } },
    required: ['verdict'],
    additionalProperties: false,
  },
}

export const forms = {
  text: {},
  structured: { output: verdict },
  streamed: { onDelta: () => undefined },
} satisfies Record<string, Partial<ChatRequest>>

export const chatRequest = (more: Partial<ChatRequest> & { calls?: ProviderCall[] } = {}): ChatRequest => {
  const { calls = [], ...rest } = more
  return {
    messages: [{ role: 'user', content: 'Does slate split?' }],
    temperature: 0,
    maxTokens: 200,
    onCall: (call) => void calls.push(call),
    signal: new AbortController().signal,
    ...rest,
  }
}

export const thrownBy = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
