import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { AppError } from '@plumbline/platform/errors'
import { parseRedisUrl, readTlsFiles } from '@plumbline/platform/redis-url'

export type RedisClient = Redis | Cluster

export type Script = (...keysAndArgs: (string | number | Buffer)[]) => Promise<unknown>
/**
 * Adds scripts to the client. If `numberOfKeys` is missing, each call passes the number of keys as the first argument.
 * Script names must be unique per client.
 */
export const withScripts = <Name extends string>(
  redis: RedisClient,
  scripts: Record<Name, { lua: string; numberOfKeys?: number }>,
): Record<Name, Script> => {
  const client = redis as unknown as Record<Name, Script>
  const names = Object.keys(scripts) as Name[]
  for (const name of names) redis.defineCommand(name, scripts[name])
  const bound = names.map((name) => [name, (...keysAndArgs: Parameters<Script>) => client[name](...keysAndArgs)])
  return Object.fromEntries(bound) as Record<Name, Script>
}

const retryStrategy = (times: number): number => Math.min(50 * 2 ** Math.min(times, 6), 2_000)

/** If Redis is unavailable, a command fails at once. A gateway then returns 503, and a worker retries later. */
const failFast: RedisOptions = {
  disableClientInfo: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 800,
  socketTimeout: 3_000,
  retryStrategy,
}
/** Commands wait for Redis without a time limit, because a queue consumer cannot continue without Redis. */
const waiting: RedisOptions = {
  disableClientInfo: true,
  maxRetriesPerRequest: null,
  connectTimeout: 5_000,
  socketTimeout: 30_000,
  retryStrategy,
}

/**
 * The time between two reads of the cluster's slot map, in ms. It is short: when a lost node returns, pipelines over
 * several slots fail until the map is read again.
 */
const slotsRefreshInterval = 1_000
/**
 * The timeout for reading the slot map, in ms. It is long, because a busy cluster replies late and a timeout here
 * closes every connection.
 */
const slotsRefreshTimeout = 5_000

/** If a master has become a replica, the client reconnects to find the new master. */
const isDemoted = (error: Error): boolean => error.message.startsWith('READONLY')

const openClient = (url: string, options: RedisOptions): RedisClient => {
  const { kind, nodes, auth, tls: files, sentinel } = parseRedisUrl(url)
  const tls = files && readTlsFiles(files)
  const { enableOfflineQueue = true } = options
  const each: RedisOptions = { ...options, ...auth, ...(tls && { tls }) }
  if (kind === 'cluster')
    return new Cluster(nodes, {
      enableAutoPipelining: true,
      enableOfflineQueue,
      clusterRetryStrategy: retryStrategy,
      slotsRefreshInterval,
      slotsRefreshTimeout,
      // TLS certificates contain host names, so connections use the host names that the nodes announce.
      ...(tls && { dnsLookup: (host, resolved) => resolved(null, host) }),
      redisOptions: each,
    })
  const own = { ...each, reconnectOnError: isDemoted }
  if (!sentinel) return new Redis({ ...own, ...nodes[0] })
  return new Redis({
    ...own,
    sentinels: nodes,
    name: sentinel.master,
    sentinelRetryStrategy: retryStrategy,
    ...(sentinel.auth.username && { sentinelUsername: sentinel.auth.username }),
    ...(sentinel.auth.password && { sentinelPassword: sentinel.auth.password }),
    ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  })
}

const connect = (url: string, options: RedisOptions): RedisClient => {
  const client = openClient(url, options)
  // Connection errors are ignored, because each command reports its own failure. Without this listener, ioredis would
  // print the errors.
  client.on('error', () => undefined)
  return client
}

export const connectFailFast = (url: string): RedisClient => connect(url, failFast)
export const connectWaiting = (url: string): RedisClient => connect(url, waiting)

export const whenReady = (redis: RedisClient, withinMs: number): Promise<void> =>
  new Promise((resolve, reject) => {
    if (redis.status === 'ready') return resolve()
    const settle = (end: () => void) => () => {
      clearTimeout(timer)
      redis.off('ready', ready)
      end()
    }
    const ready = settle(resolve)
    const timer = setTimeout(
      settle(() => reject(new AppError('store.unavailable', 'later'))),
      withinMs,
    )
    redis.on('ready', ready)
  })

export const onReconnect = (redis: RedisClient, listener: () => void): (() => void) => {
  redis.on('ready', listener)
  return () => void redis.off('ready', listener)
}
