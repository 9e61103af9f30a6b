import { hash } from 'node:crypto'
import { RouteConfig } from '@nestjs/platform-fastify'
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { AccessTags, KeyRole } from '@plumbline/contracts'
import { EnvError } from '@plumbline/platform/env'
import type { Caller } from '../ports'
import { Refusal, refusalOf } from './problem'

export type { Caller } from '../ports'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
    /** Whether the key or token of this request still counts, for what stays open; absent in local mode. */
    stillCounts?: () => Promise<boolean>
  }
  interface FastifyContextConfig {
    public?: boolean
  }
}

/** A route that needs no key. */
export const Public = () => RouteConfig({ public: true })

/** Returns what a handler's route is configured with. */
export const configOf = (handler: object): Partial<FastifyContextConfig> =>
  (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as FastifyContextConfig | undefined) ?? {}

const noKey = (): Refusal => new Refusal('unauthorized', 'Send a valid key: Authorization: Bearer <key>.')

const hostOf = (authority: string | undefined): string => (authority ?? '').replace(/:\d+$/, '')

// A page of any site can reach a local port: names that resolve to us and foreign origins stay out.
const localOnly = ({ headers }: FastifyRequest): Caller | Refusal => {
  if (!isLoopback(hostOf(headers.host)))
    return new Refusal(
      'forbidden',
      'Local mode answers to localhost only. Set API_KEYS, make a key (npm run keys -- first) or set OIDC_ISSUER to serve under another name.',
    )
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

/** Finds out whose key or token this is; where that cannot be found out now, it fails as `unavailable`. */
export type Callers = { find(key: string): Caller | undefined | Promise<Caller | undefined> }

/** What cannot be found out now is taken to count: the ways in themselves say how long. */
const stillCounts = (callers: Callers, key: string) => async (): Promise<boolean> => {
  try {
    return (await callers.find(key)) !== undefined
  } catch (error) {
    return refusalOf(error).problem.status >= 500
  }
}

/** Runs before the body is read, which no guard of Nest's does: who may not ask costs nothing. A known key is known at once. */
export const authenticate =
  (callers: Callers | null) =>
  (request: FastifyRequest): void | Promise<void> => {
    const isPublic = request.routeOptions.config.public === true
    const take = (known: Caller | Refusal): void => {
      if (!(known instanceof Refusal)) request.caller = known
      else if (!isPublic) throw known
    }
    if (!callers) return take(localOnly(request))
    const key = keyOf(request)
    const found = key === undefined ? undefined : callers.find(key)
    if (key !== undefined) request.stillCounts = stillCounts(callers, key)
    if (!(found instanceof Promise)) return take(found ?? noKey())
    return found.then(
      (caller) => take(caller ?? noKey()),
      (error: unknown) => take(refusalOf(error)),
    )
  }

export const callerOf = ({ caller }: FastifyRequest): Caller => {
  if (!caller) throw noKey()
  return caller
}

const roles = KeyRole.options
export type Role = KeyRole

/** The keys that the settings hold. */
export type FixedKeys = {
  find(key: string): Caller | undefined
  named(tenant: string, name: string): Caller | undefined
  of(tenant: string): { all: number; admins: number }
}

const isRole = (word: string): word is Role => roles.some((role) => role === word)
const tenantName = /^[a-z0-9][a-z0-9-]{0,62}$/
const hashOf = (key: string): string => hash('sha256', key, 'hex')
const shape =
  'write API_KEYS as key:tenant:role[+role] or key:tenant:role[+role]:tag[+tag], several separated by commas or lines; the tags are what the key may read beside documents without tags, * for all'

const readEntry = (entry: string, place: number): { hashed: string; caller: Caller } => {
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
  const hashed = hashOf(key)
  return {
    hashed,
    caller: { tenant, roles: new Set(named.filter(isRole)), name: `key-${hashed.slice(0, 8)}`, access },
  }
}

export const readApiKeys = (text: string): FixedKeys => {
  const entries = text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry, index) => readEntry(entry, index + 1))
  if (entries.length === 0) throw new EnvError(`API_KEYS holds no key: ${shape}`)
  const byHash = new Map(entries.map(({ hashed, caller }) => [hashed, caller]))
  return {
    // By hash: how long it takes says nothing about a key that nobody has.
    find: (key) => byHash.get(hashOf(key)),
    named: (tenant, name) => entries.find(({ caller }) => caller.tenant === tenant && caller.name === name)?.caller,
    of: (tenant) => {
      const own = entries.filter(({ caller }) => caller.tenant === tenant)
      return { all: own.length, admins: own.filter(({ caller }) => caller.roles.has('admin')).length }
    },
  }
}

export const localCaller: Caller = { tenant: 'default', roles: new Set(roles), name: 'local', access: 'all' }

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])
export const isLoopback = (host: string): boolean => loopback.has(host.replace(/^\[|\]$/g, ''))

/** On an address others can reach a gateway that would know nobody does not start. */
export const noWayIn = (host: string): EnvError =>
  new EnvError(
    [
      `HOST is ${host}, which others can reach, and nobody could come in. There are three ways:`,
      `  API_KEYS (or API_KEYS_FILE): ${shape}`,
      '  a key in the store: npm run keys -- first --tenant <tenant>, with the REDIS_URL of this gateway',
      '  OIDC_ISSUER and OIDC_AUDIENCE: tokens of your identity provider',
      'Or set HOST=127.0.0.1: this machine only, without keys.',
    ].join('\n'),
  )
