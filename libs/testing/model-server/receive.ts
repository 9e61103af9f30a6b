import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { readRequest, refusalOf, understood, type ModelRequest, type Kind, type Lacks } from './request'
import type { TokenUsage } from './openai/completion'
import { rerankFaults } from './cohere'
import { type createLatencies, type createScript, pause } from './script'
import type { OpenaiDocument } from './openai/document'
import { openaiFaults } from './openai/faults'
import { give, givePaced, refuse, type Exchange } from './reply'
import type { createPaces } from './pace'

/** How a request ended. `reset`: the server closed the connection, because of a script or because it stopped. */
type Outcome = 'answered' | 'aborted' | 'reset'

export type RecordedRequest = {
  kind: Kind
  method: string
  path: string
  /** The request headers, without those that may contain secrets. */
  headers: Record<string, string>
  authorized: boolean
  body: unknown
  /** The name of the structured output or the forced tool. */
  name: string | undefined
  model: string
  receivedAt: number
  finishedAt?: number
  outcome?: Outcome
  status?: number
  /** The usage that the answer states. Present even if the client received only a part of the answer. */
  usage?: TokenUsage
  /** The number of requests in progress when this request arrived, including this request. */
  concurrency: number
  faults: string[]
}

const secrets = /authorization|api-?key|token|cookie|secret/i

const withoutSecrets = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      secrets.test(name) || value === undefined ? [] : [[name, `${value}`]],
    ),
  )

const isAuthorized = (headers: IncomingHttpHeaders): boolean =>
  Boolean(headers.authorization ?? headers['api-key'] ?? headers['x-api-key'])

type Condition = { holds: (requests: readonly RecordedRequest[]) => boolean; met: () => void }

export const createRecords = () => {
  let all: RecordedRequest[] = []
  let waiting: Condition[] = []
  const changed = (): void => {
    const met = waiting.filter(({ holds }) => holds(all))
    waiting = waiting.filter((condition) => !met.includes(condition))
    for (const condition of met) condition.met()
  }
  return {
    get all(): readonly RecordedRequest[] {
      return all
    },
    add: (request: RecordedRequest): void => {
      all.push(request)
      changed()
    },
    /** Wakes the waiting callers of `until`. Must be called after each change of a request. */
    changed,
    until: (holds: Condition['holds']): Promise<void> =>
      new Promise((resolve) => {
        waiting.push({ holds, met: resolve })
        changed()
      }),
    clear: () => {
      all = []
    },
  }
}

export type State = {
  document: OpenaiDocument | undefined
  models: string[]
  cachedTokens: number
  records: ReturnType<typeof createRecords>
  script: ReturnType<typeof createScript>
  latencies: ReturnType<typeof createLatencies>
  paces: ReturnType<typeof createPaces>
  lacks: Lacks
  underWay: number
  closing: boolean
  serial: number
}

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

const faultsOf = (asked: ModelRequest, document: OpenaiDocument | undefined): string[] => {
  if (asked.kind === 'unknown') return [`/: Unknown request URL: ${asked.method} ${asked.path}`]
  if (asked.kind === 'rerank') return rerankFaults(asked)
  return document ? openaiFaults(asked, document) : []
}

type Arrival = Pick<RecordedRequest, 'receivedAt' | 'concurrency'>

const record = (
  state: State,
  request: IncomingMessage,
  asked: ModelRequest,
  faults: string[],
  arrival: Arrival,
): RecordedRequest => {
  const { kind, method, path, body, name, model } = asked
  const recorded: RecordedRequest = {
    kind,
    method,
    path,
    body,
    name,
    model,
    faults,
    ...arrival,
    headers: withoutSecrets(request.headers),
    authorized: isAuthorized(request.headers),
  }
  state.records.add(recorded)
  return recorded
}

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

const answerAsked = async (
  state: State,
  exchange: Exchange,
  recorded: RecordedRequest,
  asked: ModelRequest,
): Promise<void> => {
  const refusal = refusalOf(asked, state.lacks)
  const given = refusal ? undefined : await state.script.next(asked)
  await pause(state.latencies.of(asked), exchange.signal)
  if (exchange.signal.aborted) return
  if (refusal) return refuse(exchange, { status: 400, ...refusal })
  const pace = state.paces.of(asked)
  if (given?.kind === 'content' && pace) return givePaced(exchange, given, pace)
  if (given?.kind === 'reset') recorded.outcome = 'reset'
  if (given) await give(exchange, given)
}

const exchangeOf = (
  state: State,
  asked: ModelRequest,
  response: ServerResponse,
  recorded: RecordedRequest,
  signal: AbortSignal,
): Exchange => {
  const { models, cachedTokens } = state
  const serial = (state.serial += 1)
  response.setHeader('x-request-id', `req_${serial}`)
  const onUsage = (usage: TokenUsage): void => {
    recorded.usage = usage
  }
  return { asked: understood(asked, state.lacks), response, signal, serial, models, cachedTokens, onUsage }
}

export const receive = async (state: State, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const arrival = { receivedAt: Date.now(), concurrency: (state.underWay += 1) }
  response.once('close', () => (state.underWay -= 1))
  const { body, faults: unreadable } = await readBody(request)
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const asked = readRequest(request.method ?? 'GET', pathname, body)
  const faults = unreadable.length > 0 ? unreadable : faultsOf(asked, state.document)
  const recorded = record(state, request, asked, faults, arrival)
  const signal = follow(state, response, recorded)
  const exchange = exchangeOf(state, asked, response, recorded, signal)
  if (faults.length > 0)
    return refuse(exchange, { status: asked.kind === 'unknown' ? 404 : 400, message: faults.join('; ') })
  try {
    await answerAsked(state, exchange, recorded, asked)
  } catch (error) {
    // If a script throws, respond with 500. A broken connection would look like a network failure.
    recorded.faults.push(`the script threw: ${error instanceof Error ? error.message : String(error)}`)
    if (response.headersSent) response.destroy()
    else refuse(exchange, { status: 500, message: 'The scripted answer ended with an error.' })
  }
}
