import { Agent, fetch as undiciFetch } from 'undici'
import { ProviderError } from './provider'
import { retryAfter } from '../http/response'
import { redactUserText } from './redact-user-text'

/** The names of the settings that an error message tells the operator to check. */
export type Settings = { key: string; url: string; model: string }
type Answer = { status: number; headers: Headers; body: string; sent: unknown }

const quotaRetryMs = 60_000
const longestPauseMs = 86_400_000
const longest = 300

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const saidIn = (body: string): { message: string; code: string } => {
  try {
    const outer = objectOf(JSON.parse(body))
    const inner: Record<string, unknown> =
      typeof outer['error'] === 'string' ? { message: outer['error'] } : { ...outer, ...objectOf(outer['error']) }
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    return {
      message: text(inner['message']) || text(inner['detail']),
      code: `${text(inner['code'])} ${text(inner['type'])}`,
    }
  } catch {
    return { message: body.startsWith('<') ? '' : body, code: '' }
  }
}

const adviceOf = (status: number, { key, url, model }: Settings): string => {
  if (status === 401 || status === 403) return `Check ${key}.`
  if (status === 404) return `Check ${model} and ${url}.`
  return ''
}

const ahead = (time: number | undefined, now: number): number | undefined =>
  time === undefined || time <= now ? undefined : Math.min(time, now + longestPauseMs)

const faultOf = (
  { status, headers, body, sent }: Answer,
  host: string,
  settings: Settings,
  now: number,
): ProviderError => {
  const { message, code } = saidIn(body)
  const said = [
    `${host} answered ${status}.`,
    redactUserText(message, sent).replace(/\s+/g, ' ').slice(0, longest),
    adviceOf(status, settings),
  ]
    .filter(Boolean)
    .join(' ')
  const notBefore = ahead(retryAfter(headers, now), now)
  if (/insufficient_quota/.test(code))
    return new ProviderError('limited', said, { notBefore: Math.max(notBefore ?? 0, now + quotaRetryMs) })
  if (status === 429 || status === 529) return new ProviderError('limited', said, { notBefore })
  if (status >= 500 && notBefore !== undefined) return new ProviderError('limited', said, { notBefore })
  if (status >= 500 || status === 408 || status === 409 || status === 425) return new ProviderError('unavailable', said)
  if (status >= 400) return new ProviderError('rejected', said, { reason: code.trim() })
  return new ProviderError('malformed', said)
}

type Options = {
  host: string
  settings: Settings
  secret?: string | undefined
  signal: AbortSignal
  headers?: (headers: Headers) => void
}

/**
 * Sends the HTTP requests of a client library. Stores the last response, because the library may hide the cause of an
 * error.
 */
export type Wire = {
  fetch: typeof fetch
  body(): unknown
  faultOf(error: unknown): ProviderError
}

/**
 * By default, Node's `fetch` gives up after five minutes without headers. This limit is off, because the abort signal
 * limits the time.
 */
const withoutTimeouts = new Agent({ headersTimeout: 0, bodyTimeout: 0, allowH2: false })
const fetchWithDispatcher = undiciFetch as unknown as (
  url: string | URL | Request,
  init: RequestInit & { dispatcher: Agent },
) => Promise<Response>

const streaming = /^text\/event-stream/i
const json = /^application\/([\w.-]+\+)?json/i

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  return code || (cause instanceof Error ? cause.message : String(cause))
}

export const openWire = ({ host, settings, secret, signal, headers: change }: Options): Wire => {
  let body: unknown
  let fault: ProviderError | undefined
  const hidden = (text: string): string => (secret ? text.replaceAll(secret, '…') : text)
  const failed = (error: ProviderError): never => {
    fault ??= error
    throw error
  }
  const read = async (response: Response, sent: unknown): Promise<Response> => {
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && streaming.test(type)) return response
    const text = await response.text()
    if (!response.ok)
      return failed(
        faultOf(
          { status: response.status, headers: response.headers, body: hidden(text), sent },
          host,
          settings,
          Date.now(),
        ),
      )
    if (!json.test(type))
      return failed(
        new ProviderError(
          'malformed',
          `${host} answered ${type || 'a body without a content type'} instead of JSON. Check ${settings.url}.`,
        ),
      )
    try {
      body = JSON.parse(text)
    } catch {
      return failed(new ProviderError('malformed', `${host} answered invalid JSON.`))
    }
    return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
  }
  const send = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    change?.(headers)
    try {
      return await read(
        await fetchWithDispatcher(url, { ...init, headers, signal, redirect: 'error', dispatcher: withoutTimeouts }),
        init.body,
      )
    } catch (error) {
      if (error instanceof ProviderError) throw error
      return failed(new ProviderError('unavailable', `${host} cannot be reached: ${hidden(reasonOf(error))}.`))
    }
  }
  return {
    fetch: send,
    body: () => body,
    faultOf: (error) =>
      fault ??
      (error instanceof ProviderError
        ? error
        : new ProviderError('unavailable', `${host} disconnected during its answer: ${hidden(reasonOf(error))}.`)),
  }
}
