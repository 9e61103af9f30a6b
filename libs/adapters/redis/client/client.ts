import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { AppError } from '@plumbline/platform/errors'
import { parseRedisUrl, readTlsFiles } from '@plumbline/platform/redis-url'

export type RedisClient = Redis | Cluster

export type Script = (...keysAndArgs: (string | number | Buffer)[]) => Promise<unknown>
/**
 * Returns scripts as functions that take their keys first, preceded by their number if it varies. Names are defined
 * on the client, so no two may be equal. ioredis sends a script's text once per connection, then its hash.
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

/**
 * Fails at once while Redis is away, so that a gateway can return 503 and a worker can back off. An unresponsive
 * connection is dropped.
 */
const failFast: RedisOptions = {
  disableClientInfo: true,
  enableAutoPipelining: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 800,
  socketTimeout: 3_000,
  retryStrategy,
}
/** Waits for Redis as long as necessary, because a consumer has nothing else to do. */
const waiting: RedisOptions = {
  disableClientInfo: true,
  enableAutoPipelining: true,
  maxRetriesPerRequest: null,
  connectTimeout: 5_000,
  socketTimeout: 30_000,
  retryStrategy,
}

/** Refreshes the slots, because a pipeline does not follow MOVED replies of several slots after a lost node returns. */
const slotsRefreshInterval = 1_000
/** A busy cluster answers late, and an aborted refresh costs every connection. */
const slotsRefreshTimeout = 5_000

/** Redis starts on these while we write the next ones, so neither waits for the other to finish. */
const commandsPerWrite = 16

/**
 * Writes the commands of one event-loop turn together, like ioredis' own pipelining. Unlike it, this creates no
 * pipeline per turn (which copies every script of the client, including BullMQ's sixty) and does not wait for the
 * previous reply.
 */
const pipelined = (client: Redis): Redis => {
  const send = client.sendCommand.bind(client)
  let corked: Redis['stream'] | undefined
  let held = 0
  const flush = (): void => {
    corked?.uncork()
    corked = undefined
    held = 0
  }
  client.sendCommand = (...command) => {
    if (!corked && client.status === 'ready') {
      corked = client.stream
      corked.cork()
      setImmediate(flush)
    }
    const sent = send(...command)
    held += 1
    if (held >= commandsPerWrite) flush()
    return sent
  }
  return client
}

/** A master that became a replica replies READONLY. The next connection finds the new master. */
const isDemoted = (error: Error): boolean => error.message.startsWith('READONLY')

const openClient = (url: string, options: RedisOptions): RedisClient => {
  const { kind, nodes, auth, tls: files, sentinel } = parseRedisUrl(url)
  const tls = files && readTlsFiles(files)
  const { enableAutoPipelining = false, enableOfflineQueue = true } = options
  const each: RedisOptions = { ...options, ...auth, ...(tls && { tls }) }
  if (kind === 'cluster')
    return new Cluster(nodes, {
      enableAutoPipelining,
      enableOfflineQueue,
      clusterRetryStrategy: retryStrategy,
      slotsRefreshInterval,
      slotsRefreshTimeout,
      // A certificate is issued for names, so nodes that announce names are connected by name.
      ...(tls && { dnsLookup: (host, resolved) => resolved(null, host) }),
      redisOptions: each,
    })
  const own = { ...each, enableAutoPipelining: false, reconnectOnError: isDemoted }
  if (!sentinel) return pipelined(new Redis({ ...own, ...nodes[0] }))
  return pipelined(
    new Redis({
      ...own,
      sentinels: nodes,
      name: sentinel.master,
      sentinelRetryStrategy: retryStrategy,
      ...(sentinel.auth.username && { sentinelUsername: sentinel.auth.username }),
      ...(sentinel.auth.password && { sentinelPassword: sentinel.auth.password }),
      ...(tls && { sentinelTLS: tls, enableTLSForSentinelMode: true }),
    }),
  )
}

const connect = (url: string, options: RedisOptions): RedisClient => {
  const client = openClient(url, options)
  // Every command reports its own failure. Without a listener, each lost connection would be printed.
  client.on('error', () => undefined)
  return client
}

export const connectFailFast = (url: string): RedisClient => connect(url, failFast)
export const connectWaiting = (url: string): RedisClient => connect(url, waiting)

/** Resolves when commands can be sent. Used at process start. */
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

/** Calls back on each reconnect of this client. Returns a function to stop. */
export const onReconnect = (redis: RedisClient, listener: () => void): (() => void) => {
  redis.on('ready', listener)
  return () => void redis.off('ready', listener)
}
