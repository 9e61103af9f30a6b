import { Redis } from 'ioredis'
import type { QueueName } from '@plumbline/ports/job-queue'
import { connectFailFast, type RedisClient, whenReady } from '../client/client'
import { keys } from '../client/keys'
import { missingRights } from './rights'

export type ServerFacts = {
  at: string
  info(field: string): string
  skewMs: number
  /** The setting `appendfsync` of Redis, or null if the Redis user is not allowed to read the configuration. */
  fsync: string | null
  missing: string[]
}

const fieldOf =
  (info: string) =>
  (field: string): string =>
    new RegExp(`^${field}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? ''

const configured = (redis: Redis, name: string): Promise<string | null> =>
  redis.call('CONFIG', 'GET', name).then(
    (told) => (told as string[])[1] ?? null,
    () => null,
  )

const skewOf = async (redis: Redis): Promise<number> => {
  const before = Date.now()
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number)
  return (before + Date.now()) / 2 - (seconds * 1_000 + micros / 1_000)
}

const factsOf = async (redis: Redis): Promise<ServerFacts> => {
  const [info, skewMs, fsync] = [await redis.info(), await skewOf(redis), await configured(redis, 'appendfsync')]
  const own = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null })
  own.on('error', () => undefined)
  try {
    const { host = '', port = 0 } = redis.options
    return { at: `${host}:${port}`, info: fieldOf(info), skewMs, fsync, missing: await missingRights(own) }
  } finally {
    own.disconnect()
  }
}

/**
 * `lateMs` is the time for which the earliest entry has been overdue. A long time means that no process handles these
 * entries.
 */
export type Overdue = { what: string; count: number; lateMs: number }
const overdueIn = async (redis: RedisClient, what: string, key: string, now: number): Promise<Overdue> => {
  const [first, count] = [await redis.zrange(key, '0', '0', 'WITHSCORES'), await redis.zcard(key)]
  return { what, count, lateMs: count === 0 ? 0 : Math.max(0, now - Number(first[1])) }
}

export type LaneFacts = Overdue & { paused: QueueName[]; node: string }

const nodeOf = async (redis: RedisClient, key: string): Promise<string> => {
  if (redis instanceof Redis) return ''
  const slot = Number(await redis.call('CLUSTER', 'KEYSLOT', key))
  const ranges = (await redis.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][]
  const [, , at] = ranges.find(([from, to]) => from <= slot && slot <= to) ?? []
  return at ? `${at[0]}:${at[1]}` : ''
}

type Looking = { redis: RedisClient; queues: readonly QueueName[]; prefixOf(lane: string): string }
const laneFacts = async ({ redis, queues, prefixOf }: Looking, lane: string, now: number): Promise<LaneFacts> => {
  const prefix = prefixOf(lane)
  const held = await Promise.all(queues.map((queue) => redis.hexists(`${prefix}:${queue}:meta`, 'paused')))
  return {
    ...(await overdueIn(redis, lane, keys.open(lane), now)),
    paused: queues.filter((_, i) => held[i] === 1),
    node: await nodeOf(redis, prefix),
  }
}

const isRefusal = ({ message }: Error): boolean => /^(?:WRONGPASS|NOAUTH|NOPERM)\b/.test(message)

type Options = Pick<Looking, 'queues' | 'prefixOf'> & { withinMs: number }

export const openInspection = async (url: string, { withinMs, queues, prefixOf }: Options) => {
  const redis = connectFailFast(url)
  let refusal: Error | undefined
  const note = (error: Error): void => {
    const { lastNodeError } = error as Error & { lastNodeError?: Error }
    if (isRefusal(lastNodeError ?? error)) refusal = lastNodeError ?? error
  }
  redis.on('error', note)
  await whenReady(redis, withinMs).catch((error: unknown) => {
    redis.disconnect()
    throw refusal ?? error
  })
  redis.off('error', note)
  const now = async (): Promise<number> => Number((await redis.time())[0]) * 1_000
  return {
    isCluster: redis.isCluster,
    servers: (): Promise<ServerFacts[]> =>
      Promise.all((redis instanceof Redis ? [redis] : redis.nodes('master')).map(factsOf)),
    clusterState: async (): Promise<string> => fieldOf(String(await redis.call('CLUSTER', 'INFO')))('cluster_state'),
    lanes: async (named: readonly string[]): Promise<LaneFacts[]> => {
      const lanes = [...new Set([...named, ...(await redis.smembers(keys.lanes))])]
      const at = await now()
      return Promise.all(lanes.map((lane) => laneFacts({ redis, queues, prefixOf }, lane, at)))
    },
    documents: async (): Promise<Overdue> => overdueIn(redis, 'documents', keys.documentsOpen, await now()),
    webhooks: async (): Promise<Overdue> => overdueIn(redis, 'webhooks', keys.deliveriesOpen, await now()),
    client: redis,
    close: () => redis.disconnect(),
  }
}
export type Inspection = Awaited<ReturnType<typeof openInspection>>
