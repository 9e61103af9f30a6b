import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readAsked, type Asked, type Kind } from './asked'
import { rerankFaults } from './cohere'
import { refusalOf, understood, type Feature, type Lack, type Lacks } from './features'
import { createLatencies, pause, type Latencies, type Latency } from './latency'
import { openaiDocument, type OpenaiDocument } from './openai/document'
import { openaiFaults } from './openai/faults'
import type { TokenUsage } from './openai/say'
import { createRecords, isAuthorized, withoutSecrets, type RecordedRequest, type Records } from './record'
import { give, refuse, type Exchange } from './reply'
import { createScript, type Matcher, type Script, type Scripted } from './script'

export type ModelServerOptions = {
  /** OpenAI's OpenAPI document; where it is absent requests are not validated. */
  openapi?: string
  validate?: boolean
  models?: string[]
  /** How many prompt tokens an answer says were cached, where its script does not say. */
  cachedTokens?: number
}

type Fault = { path: string; name: string | undefined; faults: string[] }

export interface ModelServer {
  readonly url: string
  /** The base URL of an OpenAI client; a Cohere client takes `url`. */
  readonly openaiUrl: string
  readonly validating: boolean
  readonly requests: readonly RecordedRequest[]
  readonly faults: Fault[]
  calls(kind: Kind): RecordedRequest[]
  /** The newest script that matches answers, in order; its last answer stays. */
  script(matcher: Matcher, ...answers: Scripted[]): void
  latency(latency: Latency, matcher?: Matcher): void
  unsupported(feature: Feature, how?: Lack): void
  /** Waits until what was recorded satisfies a condition. */
  until(holds: (requests: readonly RecordedRequest[]) => boolean): Promise<void>
  /** Forgets requests, scripts, latencies and what is unsupported. */
  reset(): void
  close(): Promise<void>
}

type State = {
  document: OpenaiDocument | undefined
  models: string[]
  cachedTokens: number
  records: Records
  script: Script
  latencies: Latencies
  lacks: Lacks
  underWay: number
  closing: boolean
  serial: number
}

const usualModels = ['gpt-4.1', 'gpt-4.1-mini', 'text-embedding-3-small', 'text-embedding-3-large']

const readBody = async (request: IncomingMessage): Promise<{ body: unknown; faults: string[] }> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  if (text === '') return { body: undefined, faults: [] }
  try {
    return { body: JSON.parse(text), faults: [] }
  } catch {
    return { body: text, faults: ['/: We could not parse the JSON body of your request.'] }
  }
}

const faultsOf = (asked: Asked, document: OpenaiDocument | undefined): string[] => {
  if (asked.kind === 'unknown') return [`/: Unknown request URL: ${asked.method} ${asked.path}`]
  if (asked.kind === 'rerank') return rerankFaults(asked)
  return document ? openaiFaults(asked, document) : []
}

type Arrival = Pick<RecordedRequest, 'receivedAt' | 'concurrency'>

const record = (state: State, request: IncomingMessage, asked: Asked, faults: string[], arrival: Arrival): RecordedRequest => {
  const { kind, method, path, body, name, model } = asked
  const recorded: RecordedRequest = {
    kind, method, path, body, name, model, faults,
    ...arrival,
    headers: withoutSecrets(request.headers),
    authorized: isAuthorized(request.headers),
  }
  state.records.add(recorded)
  return recorded
}

/** Says how it ended, once, and ends the signal when that was before the answer was whole. */
const follow = (state: State, response: ServerResponse, recorded: RecordedRequest): AbortSignal => {
  const left = new AbortController()
  response.once('close', () => {
    recorded.finishedAt = Date.now()
    recorded.outcome ??= response.writableFinished ? 'answered' : state.closing ? 'reset' : 'aborted'
    if (response.headersSent) recorded.status = response.statusCode
    if (!response.writableFinished) left.abort()
    state.records.changed()
  })
  return left.signal
}

const answerAsked = async (state: State, exchange: Exchange, recorded: RecordedRequest, asked: Asked): Promise<void> => {
  const refusal = refusalOf(asked, state.lacks)
  const given = refusal ? undefined : await state.script.next(asked)
  await pause(state.latencies.of(asked), exchange.signal)
  if (exchange.signal.aborted) return
  if (refusal) return refuse(exchange, { status: 400, ...refusal })
  if (given?.kind === 'reset') recorded.outcome = 'reset'
  if (given) await give(exchange, given)
}

const exchangeOf = (state: State, asked: Asked, response: ServerResponse, recorded: RecordedRequest, signal: AbortSignal): Exchange => {
  const { models, cachedTokens } = state
  const serial = (state.serial += 1)
  response.setHeader('x-request-id', `req_${serial}`)
  const onUsage = (usage: TokenUsage): void => {
    recorded.usage = usage
  }
  return { asked: understood(asked, state.lacks), response, signal, serial, models, cachedTokens, onUsage }
}

const receive = async (state: State, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const arrival = { receivedAt: Date.now(), concurrency: (state.underWay += 1) }
  response.once('close', () => (state.underWay -= 1))
  const { body, faults: unreadable } = await readBody(request)
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const asked = readAsked(request.method ?? 'GET', pathname, body)
  const faults = unreadable.length > 0 ? unreadable : faultsOf(asked, state.document)
  const recorded = record(state, request, asked, faults, arrival)
  const signal = follow(state, response, recorded)
  const exchange = exchangeOf(state, asked, response, recorded, signal)
  if (faults.length > 0) return refuse(exchange, { status: asked.kind === 'unknown' ? 404 : 400, message: faults.join('; ') })
  try {
    await answerAsked(state, exchange, recorded, asked)
  } catch (error) {
    // A script that throws must not look like a network that fails.
    recorded.faults.push(`the script threw: ${error instanceof Error ? error.message : String(error)}`)
    if (response.headersSent) response.destroy()
    else refuse(exchange, { status: 500, message: 'The script of this answer threw.' })
  }
}

const controls = (state: State, url: string, close: () => Promise<void>): ModelServer => ({
  url,
  openaiUrl: `${url}/v1`,
  validating: state.document !== undefined,
  get requests() {
    return state.records.all
  },
  get faults() {
    return state.records.all.filter(({ faults }) => faults.length > 0).map(({ path, name, faults }) => ({ path, name, faults }))
  },
  calls: (kind) => state.records.all.filter((request) => request.kind === kind),
  script: (matcher, ...answers) => state.script.add(matcher, answers),
  latency: (latency, matcher = {}) => state.latencies.add(latency, matcher),
  unsupported: (feature, how = 'refused') => void state.lacks.set(feature, how),
  until: (holds) => state.records.until(holds),
  reset: () => {
    state.records.clear()
    state.script.clear()
    state.latencies.clear()
    state.lacks.clear()
  },
  close,
})

/** OpenAI's and Cohere's APIs on loopback: answers by script, validates and records whatever it is sent. */
export const startModelServer = async (options: ModelServerOptions = {}): Promise<ModelServer> => {
  const state: State = {
    document: options.validate === false ? undefined : await openaiDocument(options.openapi),
    models: options.models ?? usualModels,
    cachedTokens: options.cachedTokens ?? 0,
    records: createRecords(),
    script: createScript(),
    latencies: createLatencies(),
    lacks: new Map(),
    underWay: 0,
    closing: false,
    serial: 0,
  }
  const server = createServer((request, response) => {
    receive(state, request, response).catch(() => response.destroy())
  })
  // A client that keeps its connection must not meet a server that just dropped it.
  server.keepAliveTimeout = 300_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    state.closing = true
    server.close()
    server.closeAllConnections()
    await closed
  }
  return controls(state, url, close)
}
