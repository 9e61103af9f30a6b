import { createHash, timingSafeEqual } from 'node:crypto'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyRequest } from 'fastify'
import { AccessTags } from '@plumbline/contracts'
import { EnvError } from '@plumbline/platform/env'
import { Refusal } from './problem'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
  }
  interface FastifyContextConfig {
    public?: boolean
  }
}

/** A route that needs no key. */
export const Public = () => RouteConfig({ public: true })

const noKey = (): Refusal => new Refusal('unauthorized', 'Send a valid key: Authorization: Bearer <key>.')

const hostOf = (authority: string | undefined): string => (authority ?? '').replace(/:\d+$/, '')

// A page of any site can reach a local port: names that resolve to us and foreign origins stay out.
const localOnly = ({ headers }: FastifyRequest): Caller | Refusal => {
  if (!isLoopback(hostOf(headers.host)))
    return new Refusal('forbidden', 'Local mode answers to localhost only. Set API_KEYS to serve under another name.')
  const { origin } = headers
  if (origin !== undefined && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname))) {
    return new Refusal('forbidden', 'Local mode takes no requests from pages of other sites.')
  }
  return localCaller
}

const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const given = headers['x-api-key']
  if (typeof given === 'string') return given
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

const withKey = (request: FastifyRequest, keys: ApiKeys): Caller | Refusal => {
  const key = keyOf(request)
  return (key === undefined ? undefined : keys.find(key)) ?? noKey()
}

/** Runs before the body is read, which no guard of Nest's does: who may not ask costs nothing. */
export const authenticate =
  (keys: ApiKeys | null) =>
  (request: FastifyRequest): void => {
    const known = keys ? withKey(request, keys) : localOnly(request)
    if (!(known instanceof Refusal)) request.caller = known
    else if (!request.routeOptions.config.public) throw known
  }

export const callerOf = ({ caller }: FastifyRequest): Caller => {
  if (!caller) throw noKey()
  return caller
}

const roles = ['asker', 'reviewer', 'admin', 'names-reviewers', 'operator'] as const
export type Role = (typeof roles)[number]

/** Who is asking: `name` tells keys apart in the ledger without giving one away. */
export type Caller = { tenant: string; roles: ReadonlySet<Role>; name: string; access: readonly string[] | 'all' }
export type ApiKeys = { find(key: string): Caller | undefined }

const isRole = (word: string): word is Role => roles.some((role) => role === word)
const tenantName = /^[a-z0-9][a-z0-9-]{0,62}$/
const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()
const shape =
  'write API_KEYS as key:tenant:role[+role] or key:tenant:role[+role]:tag[+tag], several separated by commas or lines; the tags are what the key may read beside documents without tags, * for all'

const readEntry = (entry: string, place: number): { hash: Buffer; caller: Caller } => {
  const fault = (why: string): EnvError => new EnvError(`API_KEYS, entry ${place}: ${why}; ${shape}`)
  const [key = '', tenant = '', words = '', tags = '', ...rest] = entry.split(':')
  const named = words.split('+')
  if (rest.length > 0) throw fault('it has too many colons: no key and no tag may hold one')
  if (key.length < 8) throw fault('a key has 8 characters at least')
  if (!tenantName.test(tenant)) throw fault('a tenant has lower-case letters, digits and dashes')
  const unknown = named.filter((word) => !isRole(word))
  if (unknown.length > 0) throw fault(`no role ${unknown.join(', ') || '(empty)'}; the roles are ${roles.join(', ')}`)
  const access = tags === '*' ? 'all' : tags.split('+').filter((tag) => tag !== '')
  if (access !== 'all' && !AccessTags.safeParse(access).success)
    throw fault('an access tag has letters, digits and . @ _ -')
  const hash = hashOf(key)
  return {
    hash,
    caller: { tenant, roles: new Set(named.filter(isRole)), name: `key-${hash.toString('hex').slice(0, 8)}`, access },
  }
}

const readApiKeys = (text: string): ApiKeys => {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry, index) => readEntry(entry, index + 1))
  if (entries.length === 0) throw new EnvError(`API_KEYS holds no key: ${shape}`)
  return {
    // Every entry is compared, so that the time says nothing about which one matched.
    find: (key) => {
      const hash = hashOf(key)
      let found: Caller | undefined
      for (const entry of entries) if (timingSafeEqual(hash, entry.hash)) found = entry.caller
      return found
    },
  }
}

const localCaller: Caller = { tenant: 'default', roles: new Set(roles), name: 'local', access: 'all' }

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])
const isLoopback = (host: string): boolean => loopback.has(host.replace(/^\[|\]$/g, ''))

/** Without keys there is local mode only; on an address others can reach the gateway does not start. */
export const keysFor = (host: string, text: string | undefined): ApiKeys | null => {
  if (text !== undefined) return readApiKeys(text)
  if (isLoopback(host)) return null
  throw new EnvError(
    `HOST is ${host}, which others can reach, and no API_KEYS are set: ${shape}, or set HOST=127.0.0.1`,
  )
}
