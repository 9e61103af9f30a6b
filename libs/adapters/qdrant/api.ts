import { AppError } from '@plumbline/platform'
import { EnvError } from '@plumbline/platform/env'
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest'

export type Api = ReturnType<QdrantClient['api']>
export type Filter = Schemas['Filter']
export type Condition = Schemas['Condition']
type Answer<Result> = { data: { result?: Result } }

const callMs = 60_000

class Refusal extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(`Qdrant answered ${status}: ${words}`)
    this.name = 'Refusal'
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const refusalOf = (error: unknown): Refusal | undefined => {
  const { status, data } = objectOf(error)
  if (typeof status !== 'number') return undefined
  const { error: words } = objectOf(objectOf(data).status)
  return new Refusal(
    status,
    typeof words === 'string' ? words : typeof data === 'string' ? data.slice(0, 500) : '(no words)',
  )
}

const passing = (status: number): boolean => status >= 500 || status === 429 || status === 408

const asError = (error: unknown): AppError => {
  const refusal = refusalOf(error)
  return new AppError('index.failed', refusal && !passing(refusal.status) ? 'never' : 'later', {
    cause: refusal ?? error,
  })
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof AppError && error.cause instanceof Refusal ? error.cause.status : undefined
export const isAbsent = (error: unknown): boolean => statusOf(error) === 404
export const isThereAlready = (error: unknown): boolean =>
  statusOf(error) === 409 ||
  (statusOf(error) === 400 && /already exists/i.test(error instanceof AppError ? String(error.cause) : ''))

export const ask = async <Asked, Result>(
  call: (asked: Asked, init: { signal: AbortSignal }) => Promise<Answer<Result>>,
  asked: Asked,
  signal: AbortSignal,
): Promise<Result> => {
  signal.throwIfAborted()
  try {
    const { data } = await call(asked, { signal: AbortSignal.any([signal, AbortSignal.timeout(callMs)]) })
    if (data.result === undefined) throw new Error('The server is not Qdrant, or its answer is incomplete.')
    return data.result
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw asError(error)
  }
}

export const unlessAbsent = async <Result>(work: Promise<Result>, otherwise: Result): Promise<Result> => {
  try {
    return await work
  } catch (error) {
    if (isAbsent(error)) return otherwise
    throw error
  }
}

export const scrollPoints = async function* (
  api: Api,
  asked: { collection_name: string } & Schemas['ScrollRequest'],
  signal: AbortSignal,
): AsyncGenerator<Schemas['Record'][]> {
  let offset: string | number | undefined
  do {
    const page = { ...asked, ...(offset !== undefined && { offset }) }
    const { points, next_page_offset: next } = await ask(api.scrollPoints, page, signal)
    yield points
    offset = typeof next === 'string' || typeof next === 'number' ? next : undefined
  } while (offset !== undefined)
}

const oldest = [1, 19] as const

const isOldEnough = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
}

/** Returns the port in the URL, or 6333 by default. Does not use `URL`, which omits the default port of a scheme. */
const portOf = (url: string): number => Number(/^\w+:\/\/[^/?#]*?:(\d+)(?:[/?#]|$)/.exec(url)?.[1] ?? 6333)
/** If the connection was tried at several addresses, the error has a code but an empty message. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || String(objectOf(error).code)
}

export const connect = async (url: string, apiKey: string | undefined, signal: AbortSignal): Promise<Api> => {
  const { QdrantClient: Client } = await import('@qdrant/js-client-rest')
  const { protocol, hostname, pathname } = new URL(url)
  const under = pathname.replace(/\/+$/, '')
  const origin = `${protocol}//${hostname}:${portOf(url)}`
  const where = `${origin}${under}`
  // The client's timeout is off, because it would replace the abort signal. The key is sent in a header, because the
  // option `apiKey` would print a warning.
  const client = new Client({
    url: origin,
    port: portOf(url),
    ...(under && { prefix: under }),
    headers: apiKey ? { 'api-key': apiKey } : {},
    timeout: Infinity,
    checkCompatibility: false,
  })
  const api = client.api()
  const version = await api.root({}, { signal: AbortSignal.any([signal, AbortSignal.timeout(callMs)]) }).then(
    ({ data }) => (typeof data.version === 'string' ? data.version : ''),
    (error: unknown) => {
      signal.throwIfAborted()
      throw new EnvError(
        `Qdrant at ${where} cannot be used: ${reasonOf(asError(error).cause)}. Check that Qdrant runs, and that QDRANT_URL and QDRANT_API_KEY are correct.`,
        { cause: error },
      )
    },
  )
  if (!isOldEnough(version))
    throw new EnvError(
      `Qdrant at ${where} has version ${version || 'unknown'}; this index needs ${oldest.join('.')} or newer.`,
    )
  return api
}
