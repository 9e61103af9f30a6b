import { readFileSync } from 'node:fs'
import { AppError } from './errors'

type Node = { host: string; port: number }
type Login = { username?: string; password?: string }
const tlsFiles = ['ca', 'cert', 'key'] as const
type TlsFiles = Partial<Record<(typeof tlsFiles)[number], string>>

export type RedisTarget = {
  kind: 'single' | 'cluster' | 'sentinel'
  nodes: Node[]
  auth: Login & { db?: number }
  tls?: TlsFiles
  sentinel?: { master: string; auth: Login }
}

const redisUrlForms =
  'redis://host:port, redis+cluster://host:port,host:port or redis+sentinel://host:port,host:port/master; for TLS, write rediss instead of redis'

const fault = (words: string): AppError => new AppError('redis.url', 'never', { cause: new Error(words) })
const misread = (): AppError => fault(`write it as ${redisUrlForms}`)

const usualPort = { single: 6379, cluster: 6379, sentinel: 26379 }

const nodeOf = (text: string, port: number): Node => {
  const [, host, given] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(text.trim()) ?? []
  if (!host) throw misread()
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(given ?? port) }
}

const loginOf = (username: string | undefined, password: string | undefined): Login => ({
  ...(username && { username }),
  ...(password && { password }),
})

const optionsOf = (query: string | undefined, allowed: readonly string[]): Record<string, string> => {
  const given = (query ?? '').split('&').filter(Boolean)
  return Object.fromEntries(
    given.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      if (!allowed.includes(name))
        throw fault(
          `has an unknown option "${name}": with rediss, use ca, cert and key; with sentinels, use sentinelUser and sentinelPassword`,
        )
      return [name, decodeURIComponent(value.join('='))]
    }),
  )
}

/**
 * Parses the URL of a Redis server, cluster or sentinel. A cluster URL lists some nodes of the cluster. A sentinel URL
 * also names the master.
 */
export const parseRedisUrl = (url: string): RedisTarget => {
  const [, scheme, form, userinfo, hosts, path, query] =
    /^(rediss?)(\+cluster|\+sentinel)?:\/\/(?:([^@/?]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/.exec(url) ?? []
  if (!scheme || !hosts) throw misread()
  const addresses = hosts.split(',')
  const isCluster = form === '+cluster' || (form === undefined && addresses.length > 1)
  const kind = form === '+sentinel' ? 'sentinel' : isCluster ? 'cluster' : 'single'
  if (kind === 'sentinel' && !path)
    throw fault('names no master: write it as redis+sentinel://host:port,host:port/master')
  if (kind !== 'sentinel' && path && !/^\d+$/.test(path)) throw misread()
  const isTls = scheme === 'rediss'
  const { sentinelUser, sentinelPassword, ...tls } = optionsOf(query, [
    ...(isTls ? tlsFiles : []),
    ...(kind === 'sentinel' ? ['sentinelUser', 'sentinelPassword'] : []),
  ])
  if ((tls.cert === undefined) !== (tls.key === undefined)) throw fault('set cert and key together')
  const [username, password] = (userinfo ?? '').split(':').map(decodeURIComponent)
  return {
    kind,
    nodes: addresses.map((address) => nodeOf(address, usualPort[kind])),
    auth: { ...loginOf(username, password), ...(kind !== 'sentinel' && path && { db: Number(path) }) },
    ...(isTls && { tls }),
    ...(kind === 'sentinel' && {
      sentinel: { master: decodeURIComponent(path ?? ''), auth: loginOf(sentinelUser, sentinelPassword) },
    }),
  }
}

export const readTlsFiles = (files: TlsFiles): Partial<Record<keyof TlsFiles, Buffer>> =>
  Object.fromEntries(
    Object.entries(files).map(([name, file]) => {
      try {
        return [name, readFileSync(file)]
      } catch (error) {
        throw fault(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
      }
    }),
  )

export const faultOfRedisUrl = (url: string): string | null => {
  try {
    readTlsFiles(parseRedisUrl(url).tls ?? {})
    return null
  } catch (error) {
    if (error instanceof AppError && error.cause instanceof Error) return error.cause.message
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

export const redactRedisUrl = (url: string): string => url.replace(/\?.*$/, '').replace(/:[^:@/]*@/, ':…@')
