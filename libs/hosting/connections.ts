import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { connectFailFast, connectWaiting, type RedisClient, whenReady } from '@plumbline/adapters/redis/client/client'
import { checkStoreShape, recordLanes } from '@plumbline/adapters/redis/client/keys'
import { openSpending, openTenantBudget, type DailyBudget } from '@plumbline/adapters/redis/limits/spending'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import type { Log, Stop } from '@plumbline/platform'
import { redactRedisUrl } from '@plumbline/platform/redis-url'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { Budget } from '@plumbline/worker'

const startMs = 5_000

export type Connections = { consumer: RedisClient; redis: RedisClient; store: RunStore; queue: JobQueue }

/**
 * Opens the connections to Redis. If Redis is unavailable, calls of the consumer connection wait. Calls of the store
 * and the queue fail at once.
 */
export const openConnections = async (url: string, lanes: string[], stop: Stop): Promise<Connections> => {
  const connected = (client: RedisClient, name: string): RedisClient => {
    stop.add(name, () => {
      if (client.status !== 'end') client.disconnect()
    })
    return client
  }
  const redis = connected(connectFailFast(url), 'the store connection')
  const consumer = connected(connectWaiting(url), 'the consumer connection')
  await Promise.all([redis, consumer].map((client) => whenReady(client, startMs))).catch((cause: unknown) => {
    throw new Error(
      `Redis does not answer at ${redactRedisUrl(url)}. Start it, or set REDIS_URL to the URL of a running Redis.`,
      { cause },
    )
  })
  await checkStoreShape(redis)
  await recordLanes(redis, lanes)
  const store = openRedisRunStore({ redis })
  stop.add('the store', () => store.close())
  const queue = openBullMqJobQueue({ connection: redis })
  stop.add('the queues', () => queue.close())
  return { consumer, redis, store, queue }
}

type Parts = { redis: RedisClient; log: Log; daily: DailyBudget }

export const openBudget = ({ redis, log, daily }: Parts): Budget => {
  const spending = openSpending(redis)
  const tenants = openTenantBudget(spending, daily, log)
  return {
    charge: (run, usage, at) => {
      spending
        .charge(run, usage, at)
        .catch((error: unknown) => log.error({ err: error, runId: run.id, usage }, 'usage of a model call not counted'))
    },
    isSpent: tenants.isSpent,
  }
}
