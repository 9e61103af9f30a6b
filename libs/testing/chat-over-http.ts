import type { Usage } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { ChatModel, ChatReply, ChatRequest } from '@plumbline/ports/chat-model'

type Tokens = { prompt_tokens: number; completion_tokens: number }
type Message = { content?: string | null; refusal?: string | null }
type StreamChunk = { choices: { delta?: Message; message?: Message }[]; usage?: Tokens | null }

const usageOf = (tokens: Tokens | null | undefined): Usage => ({
  calls: 1,
  tokensIn: tokens?.prompt_tokens ?? 0,
  tokensOut: tokens?.completion_tokens ?? 0,
  cents: 0,
})

const bodyOf = (
  model: string,
  { messages, temperature, maxTokens, output, onDelta, onText }: ChatRequest,
): Record<string, unknown> => ({
  model,
  messages,
  temperature,
  max_tokens: maxTokens,
  ...(output && { response_format: { type: 'json_schema', json_schema: { ...output, strict: true } } }),
  ...((onDelta ?? onText) && { stream: true, stream_options: { include_usage: true } }),
})

async function* pieces(response: Response): AsyncGenerator<StreamChunk> {
  if (!/event-stream/.test(response.headers.get('content-type') ?? '')) {
    yield (await response.json()) as StreamChunk
    return
  }
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)) as StreamChunk
  }
}

const answered = async (
  response: Response,
  { onDelta, onText, onCall }: ChatRequest,
  model: string,
): Promise<ChatReply> => {
  let [text, refusal] = ['', '']
  let tokens: Tokens | null | undefined
  for await (const { choices, usage } of pieces(response)) {
    const said = choices[0]?.delta ?? choices[0]?.message
    if (said?.content) onDelta?.(said.content)
    text += said?.content ?? ''
    if (said?.content) onText?.(text)
    refusal += said?.refusal ?? ''
    tokens = usage ?? tokens
  }
  onCall({ model, usage: usageOf(tokens) })
  return refusal === '' ? { kind: 'answered', text } : { kind: 'refused', reason: refusal }
}

/** Returns a chat model that calls a server directly, without retries or fallbacks. */
export const chatOverHttp = (baseUrl: string, model = 'gpt-4.1'): ChatModel => ({
  name: `${model} at ${new URL(baseUrl).host}`,
  chat: async (request) => {
    request.signal.throwIfAborted()
    const down = (cause: unknown): AppError => new AppError('provider.down', 'later', { cause })
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(model, request)),
      signal: request.signal,
    }).catch((error: unknown) => {
      throw request.signal.aborted ? error : down(error)
    })
    if (response.status >= 500) throw down(await response.text())
    if (!response.ok) throw new AppError('provider.rejected', 'never', { cause: await response.text() })
    return answered(response, request, model)
  },
})
