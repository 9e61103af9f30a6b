import { RouteConfig } from '@nestjs/platform-fastify'
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { KeyRole } from '@plumbline/contracts'
import type { Caller } from '../ports'
import { Refusal, refusalOf } from './problem'

export type { Caller } from '../ports'

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller
    /** Open streams call this function regularly to check the caller's key. Undefined in local mode. */
    stillCounts?: () => Promise<boolean>
  }
  interface FastifyContextConfig {
    public?: boolean
  }
}

export const Public = () => RouteConfig({ public: true })

export const configOf = (handler: object): Partial<FastifyContextConfig> =>
  (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as FastifyContextConfig | undefined) ?? {}

const noKey = (): Refusal => new Refusal('unauthorized', 'Send a valid key: Authorization: Bearer <key>.')

const hostOf = (authority: string | undefined): string => (authority ?? '').replace(/:\d+$/, '')

// Any website can reach a local port through the browser, so requests with other host names or origins are refused.
const localOnly = ({ headers }: FastifyRequest): Caller | Refusal => {
  if (!isLoopback(hostOf(headers.host)))
    return new Refusal(
      'forbidden',
      'Local mode accepts requests to localhost only. To use another host name, set API_KEYS, create a key (npm run plumbline -- keys first) or set OIDC_ISSUER.',
    )
  const { origin } = headers
  if (origin !== undefined && !(URL.canParse(origin) && isLoopback(new URL(origin).hostname))) {
    return new Refusal(
      'forbidden',
      'Local mode accepts no requests from pages of other sites. To allow these requests, set API_KEYS and CORS_ORIGINS.',
    )
  }
  return localCaller
}

const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const given = headers['x-api-key']
  if (typeof given === 'string') return given
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** `find` throws `unavailable` while the store or the issuer cannot be reached. */
export type Callers = {
  find(key: string): Caller | undefined | Promise<Caller | undefined>
  stillCounts?(key: string): Promise<boolean>
}

const isFound = async (callers: Callers, key: string): Promise<boolean> => (await callers.find(key)) !== undefined

/** Returns whether the key of an open stream is still valid. A key stays valid while the key store is unavailable. */
const stillCounts = (callers: Callers, key: string) => async (): Promise<boolean> => {
  try {
    return await (callers.stillCounts?.(key) ?? isFound(callers, key))
  } catch (error) {
    return refusalOf(error).problem.status >= 500
  }
}

/** Finds the caller before the body is read, unlike Nest's guards. For a cached key, it returns no promise. */
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

export type Role = KeyRole

export const localCaller: Caller = { tenant: 'default', roles: new Set(KeyRole.options), name: 'local', access: 'all' }

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])
export const isLoopback = (host: string): boolean => loopback.has(host.replace(/^\[|\]$/g, ''))
