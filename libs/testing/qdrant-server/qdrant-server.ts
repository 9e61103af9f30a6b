import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onLoopback } from '../loopback'
import { qdrantDocument, type QdrantDocument, type Sent } from './document'
import { newStore, Refusal, type Store } from './store'
import { routes } from './routes'

export type Recorded = Sent & { authorized: boolean; bytes: number; faults: string[] }

/** A fault instead of the normal response: an error status, or a broken connection. */
export type Fate = { status: number; error: string; headers?: Record<string, string> } | 'broken'
/**
 * The server calls this function before it executes a request (`before`) and before it sends the response (`done`). The
 * function may return a fault.
 */
type Watch = (request: Recorded, when: 'before' | 'done') => Fate | void | Promise<Fate | void>

type QdrantServerOptions = {
  /**
   * Whether requests and responses are validated against Qdrant's API description. The default is true. If the file
   * with this description is missing, nothing is validated.
   */
  validate?: boolean
  apiKey?: string
  version?: string
}

export interface QdrantServer {
  readonly url: string
  readonly requests: readonly Recorded[]
  /** The faults that validation has found in requests and in the responses of this server. */
  readonly faults: string[]
  readonly store: Store
  watch(watch: Watch | null): void
  reset(): void
  close(): Promise<void>
}

type State = {
  document: QdrantDocument | undefined
  apiKey: string | undefined
  version: string
  requests: Recorded[]
  store: Store
  watch: Watch | null
}

const mostBytes = 32 * 1024 * 1024

const read = async (request: IncomingMessage): Promise<{ body: unknown; bytes: number }> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const whole = Buffer.concat(chunks)
  return { body: whole.length === 0 ? undefined : (JSON.parse(whole.toString('utf8')) as unknown), bytes: whole.length }
}

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const resultOf = (state: State, sent: Recorded): unknown => {
  if (state.apiKey !== undefined && !sent.authorized)
    throw new Refusal(401, 'Must provide an API key or an Authorization bearer token')
  if (sent.bytes > mostBytes) throw new Refusal(400, 'Payload error: JSON payload is larger than allowed')
  if (sent.faults.length > 0) throw new Refusal(400, `Format error: ${sent.faults.join('; ')}`)
  const path = decodeURIComponent(sent.path)
  const found = routes.find(({ method, pattern }) => method === sent.method && pattern.test(path))
  if (!found) throw new Refusal(501, `Not here: ${sent.method} ${path}`)
  return found.answer(state.store, found.pattern.exec(path)?.[1] ?? '', sent.body)
}

const answerOf = (state: State, sent: Recorded): { status: number; body: unknown } => {
  if (sent.method === 'GET' && sent.path === '/')
    return { status: 200, body: { title: 'qdrant - vector search engine', version: state.version } }
  try {
    return { status: 200, body: { result: resultOf(state, sent), status: 'ok', time: 0.001 } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 501) sent.faults.push(error.message)
    return { status: error.status, body: { status: { error: error.message }, time: 0 } }
  }
}

const meet = (response: ServerResponse, fate: Fate | void): boolean => {
  if (fate === undefined) return false
  if (fate === 'broken') response.destroy()
  else send(response, fate.status, { status: { error: fate.error }, time: 0 }, fate.headers)
  return true
}

const receive = async (state: State, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { body, bytes } = await read(request)
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const method = request.method ?? 'GET'
  const authorized = state.apiKey === undefined || request.headers['api-key'] === state.apiKey
  const sent: Recorded = {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body,
    bytes,
    authorized,
    faults: [],
  }
  sent.faults.push(...(state.document?.ofRequest(sent) ?? []))
  state.requests.push(sent)
  if (meet(response, await state.watch?.(sent, 'before'))) return
  const answer = answerOf(state, sent)
  sent.faults.push(...(state.document?.ofAnswer(sent, answer.status, answer.body) ?? []))
  if (meet(response, await state.watch?.(sent, 'done'))) return
  send(response, answer.status, answer.body)
}

const controls = (state: State, url: string, close: () => Promise<void>): QdrantServer => ({
  url,
  get requests() {
    return state.requests
  },
  get faults() {
    return state.requests.flatMap(({ method, path, faults }) => faults.map((fault) => `${method} ${path}: ${fault}`))
  },
  get store() {
    return state.store
  },
  watch: (watch) => void (state.watch = watch),
  reset: () => void Object.assign(state, { requests: [], store: newStore(), watch: null }),
  close,
})

/** Starts a simulated Qdrant server. It supports only the parts of Qdrant that Plumbline's index uses. */
export const startQdrantServer = async ({
  validate = true,
  apiKey,
  version = '1.19.0',
}: QdrantServerOptions = {}): Promise<QdrantServer> => {
  const state: State = {
    document: validate ? await qdrantDocument() : undefined,
    apiKey,
    version,
    requests: [],
    store: newStore(),
    watch: null,
  }
  const server = createServer((request, response) => {
    receive(state, request, response).catch((error: unknown) => {
      state.requests.at(-1)?.faults.push(`the server broke: ${error instanceof Error ? error.message : String(error)}`)
      response.destroy()
    })
  })
  const { url, close } = await onLoopback(server)
  return controls(state, url, close)
}
