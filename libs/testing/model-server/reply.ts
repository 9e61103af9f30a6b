import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Answer, Malformed } from './answer'
import type { ModelRequest } from './request'
import { rerankBody } from './cohere'
import type { Pace } from './pace'
import { pause } from './script'
import {
  chunksOf,
  completionBody,
  contentOf,
  endOfStream,
  eventOf,
  speak,
  tokensOf,
  type CompletionContent,
  type TokenUsage,
} from './openai/completion'
import { embeddingsBody, modelsBody } from './openai/embeddings'

export type Exchange = {
  asked: ModelRequest
  response: ServerResponse
  signal: AbortSignal
  serial: number
  models: readonly string[]
  cachedTokens: number
  onUsage: (usage: TokenUsage) => void
}

type Contentful = Extract<Answer, { kind: 'content' | 'trickle' | 'reset' }>

const bodyPieces = 8

const errorBody = (
  asked: ModelRequest,
  status: number,
  message: string,
  code: string | null,
  param: string | null = null,
): object =>
  asked.kind === 'rerank'
    ? { message }
    : { error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param, code } }

const send = ({ response }: Exchange, status: number, body: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(body)
}

type Refusal = {
  status: number
  message: string
  code?: string | null
  param?: string | null
  headers?: Record<string, string>
}

export const refuse = (exchange: Exchange, { status, message, code, param, headers }: Refusal): void =>
  send(exchange, status, JSON.stringify(errorBody(exchange.asked, status, message, code ?? null, param)), headers)

const spoken = ({ asked, cachedTokens, onUsage }: Exchange, given: Contentful): CompletionContent => {
  const said = speak(asked, contentOf(given), cachedTokens)
  onUsage(said.usage)
  return said
}

const bodyOf = (exchange: Exchange, given: Contentful): object => {
  const { asked, serial, models, onUsage } = exchange
  if (given.content.kind === 'json' && asked.kind !== 'chat') return given.content.value as object
  if (asked.kind === 'embeddings' || asked.kind === 'rerank')
    onUsage({ prompt: tokensOf(asked.text), completion: 0, cached: 0 })
  if (asked.kind === 'embeddings') return embeddingsBody(asked)
  if (asked.kind === 'models') return modelsBody(models)
  if (asked.kind === 'rerank') return rerankBody(asked, serial)
  return completionBody(asked, spoken(exchange, given), serial)
}

type Parts = { headers: Record<string, string>; first: string; pieces: Buffer[]; last: string }

const cut = (body: Buffer): Buffer[] => {
  const size = Math.ceil(body.length / bodyPieces)
  return Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.subarray(at * size, (at + 1) * size))
}

const partsOf = (exchange: Exchange, given: Contentful): Parts => {
  const { asked, serial } = exchange
  if (asked.kind !== 'chat' || !asked.stream) {
    const body = Buffer.from(JSON.stringify(bodyOf(exchange, given)))
    return {
      headers: { 'content-type': 'application/json', 'content-length': `${body.length}` },
      first: '',
      pieces: cut(body),
      last: '',
    }
  }
  const { first, pieces, last } = chunksOf(asked, spoken(exchange, given), serial)
  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    first: eventOf(first),
    pieces: pieces.map((piece) => Buffer.from(eventOf(piece))),
    last: last.map(eventOf).join('') + endOfStream,
  }
}

const joined = ({ first, pieces }: Parts, count = pieces.length): Buffer =>
  Buffer.concat([Buffer.from(first), ...pieces.slice(0, count)])
const half = (parts: Parts): Buffer => joined(parts, Math.ceil(parts.pieces.length / 2))

const whole = (exchange: Exchange, given: Contentful): void => {
  const parts = partsOf(exchange, given)
  exchange.response.writeHead(200, parts.headers)
  exchange.response.end(Buffer.concat([joined(parts), Buffer.from(parts.last)]))
}

const trickle = async (exchange: Exchange, given: Extract<Answer, { kind: 'trickle' }>): Promise<void> => {
  const { response, signal } = exchange
  const { headers, first, pieces, last } = partsOf(exchange, given)
  response.writeHead(200, headers)
  response.flushHeaders()
  if (first) response.write(first)
  for (const [at, piece] of pieces.entries()) {
    if (at === given.stallAfter) return
    await pause(given.everyMs, signal)
    if (signal.aborted) return
    response.write(piece)
  }
  response.end(last)
}

/** Sends the answer at the given speed. Waits are measured from the start, so that delays of timers do not add up. */
export const givePaced = async (
  exchange: Exchange,
  given: Extract<Answer, { kind: 'content' }>,
  { firstTokenMs, tokensPerSecond, ends }: Pace,
): Promise<void> => {
  const { response, signal } = exchange
  const start = performance.now()
  const until = (ms: number): Promise<void> => pause(start + ms - performance.now(), signal)
  let tokens = 0
  const onUsage = (usage: TokenUsage): void => {
    tokens = usage.completion
    exchange.onUsage(usage)
  }
  const { headers, first, pieces, last } = partsOf({ ...exchange, onUsage }, given)
  const written = (1_000 * tokens) / tokensPerSecond
  if (!exchange.asked.stream) {
    await until(firstTokenMs + written)
    if (!signal.aborted) whole(exchange, given)
    return
  }
  await until(firstTokenMs)
  response.writeHead(200, headers)
  if (first) response.write(first)
  for (const [at, piece] of pieces.entries()) {
    await until(firstTokenMs + (written * (at + 1)) / pieces.length)
    if (at === pieces.length - 1) await ends
    if (signal.aborted) return
    response.write(piece)
  }
  response.end(last)
}

const reset = async (exchange: Exchange, given: Extract<Answer, { kind: 'reset' }>): Promise<void> => {
  const { response } = exchange
  if (given.when === 'before-headers') return void response.socket?.resetAndDestroy()
  const parts = partsOf(exchange, given)
  response.writeHead(200, parts.headers)
  await new Promise<void>((resolve) => response.write(half(parts), () => resolve()))
  response.socket?.destroy()
}

const malformed = (exchange: Exchange, how: Malformed): void => {
  const body = how === 'body' ? '{"id": "chatcmpl-1", "choices": [{' : '{"result": "ok"}'
  if (!exchange.asked.stream) return send(exchange, 200, body)
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  exchange.response.end(eventOf(body) + endOfStream)
}

const gone = async ({ signal }: Exchange): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

export const give = async (exchange: Exchange, given: Answer): Promise<void> => {
  switch (given.kind) {
    case 'content':
      return whole(exchange, given)
    case 'status':
      return refuse(exchange, given)
    case 'hang':
      return gone(exchange)
    case 'trickle':
      return trickle(exchange, given)
    case 'reset':
      return reset(exchange, given)
    case 'malformed':
      return malformed(exchange, given.how)
    case 'typed':
      return send(exchange, 200, given.body, { 'content-type': given.contentType })
    default:
      return given satisfies never
  }
}
