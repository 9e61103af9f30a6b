import { faultOf, type Settings } from './classify'
import type { Clock } from './clock'
import { ProviderError } from './provider'

type Options = {
  host: string
  settings: Settings
  secret?: string | undefined
  signal: AbortSignal
  clock: Pick<Clock, 'now'>
  /** Changes headers before they leave. */
  headers?: (headers: Headers) => void
}

/** The `fetch` of one call: it keeps what came, so that no library can hide why a call failed. */
export type Wire = {
  fetch: typeof fetch
  /** The JSON that was answered. */
  body(): unknown
  /** Why the call failed, in our words. */
  faultOf(error: unknown): ProviderError
}

const streaming = /^text\/event-stream/i
const json = /^application\/([\w.-]+\+)?json/i

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  return code || (cause instanceof Error ? cause.message : String(cause))
}

export const openWire = ({ host, settings, secret, signal, clock, headers: change }: Options): Wire => {
  let body: unknown
  let fault: ProviderError | undefined
  const hidden = (text: string): string => (secret ? text.replaceAll(secret, '…') : text)
  const failed = (error: ProviderError): never => {
    fault ??= error
    throw error
  }
  const read = async (response: Response): Promise<Response> => {
    const type = response.headers.get('content-type') ?? ''
    if (response.ok && streaming.test(type)) return response
    const text = await response.text()
    if (!response.ok)
      return failed(
        faultOf(
          { status: response.status, headers: response.headers, body: hidden(text) },
          host,
          settings,
          clock.now(),
        ),
      )
    if (!json.test(type))
      return failed(
        new ProviderError(
          'malformed',
          `${host} answered ${type || 'something without a type'} instead of JSON. Look at ${settings.url}.`,
        ),
      )
    try {
      body = JSON.parse(text)
    } catch {
      return failed(new ProviderError('malformed', `${host} answered JSON that cannot be read.`))
    }
    return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } })
  }
  const send = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    change?.(headers)
    try {
      return await read(await fetch(url, { ...init, headers, signal, redirect: 'error' }))
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
        : new ProviderError('unavailable', `${host} broke off: ${hidden(reasonOf(error))}.`)),
  }
}
