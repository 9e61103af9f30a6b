import type { FastifyRequest } from 'fastify'
import { isLoopback, localCaller, type ApiKeys, type Caller } from './api-keys'
import { Refusal } from './problem'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
}

const open = new Set(['/livez', '/readyz', '/metrics', '/openapi.json', '/docs'])

const hostOf = (authority: string | undefined): string => (authority ?? '').replace(/:\d+$/, '')

// A page of any site can reach a local port: names that resolve to us and foreign origins stay out.
const localOnly = ({ headers }: FastifyRequest): Caller => {
  if (!isLoopback(hostOf(headers.host)))
    throw new Refusal('forbidden', 'Local mode answers to localhost only. Set API_KEYS to serve under another name.')
  const { origin } = headers
  if (origin !== undefined && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname))) {
    throw new Refusal('forbidden', 'Local mode takes no requests from pages of other sites.')
  }
  return localCaller
}

const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const given = headers['x-api-key']
  if (typeof given === 'string') return given
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

const withKey = (request: FastifyRequest, keys: ApiKeys): Caller => {
  const key = keyOf(request)
  const caller = key === undefined ? undefined : keys.find(key)
  if (!caller) throw new Refusal('unauthorized', 'Send a valid key: Authorization: Bearer <key>.')
  return caller
}

/** Runs before the body is read: who may not ask costs nothing. */
export const authenticate =
  (keys: ApiKeys | null) =>
  (request: FastifyRequest): void => {
    const path = request.url.split('?')[0] ?? ''
    if (open.has(path) || path.startsWith('/docs/')) return
    request.caller = keys ? withKey(request, keys) : localOnly(request)
  }

export const callerOf = ({ caller }: FastifyRequest): Caller => {
  if (!caller) throw new Refusal('unauthorized', 'Send a valid key: Authorization: Bearer <key>.')
  return caller
}
