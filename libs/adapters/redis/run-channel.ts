import { Cluster } from 'ioredis'
import { committedChannel, type documentsChannel } from './keys'
import type { RedisClient } from './scripts'

type Listener = (id: string) => void

/** A connection that only listens: it waits for Redis and subscribes again after every reconnect. */
const listening = (redis: RedisClient): RedisClient =>
  redis instanceof Cluster
    ? redis.duplicate([], { enableOfflineQueue: true })
    : redis.duplicate({
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
        enableAutoPipelining: false,
        commandTimeout: undefined,
      })

type Channel = typeof committedChannel | typeof documentsChannel

/** One subscriber connection for all listeners of a process, opened with the first of them. */
export const runChannel = (redis: RedisClient, channel: Channel = committedChannel) => {
  const listeners = new Set<Listener>()
  let subscriber: RedisClient | undefined
  let subscribed: Promise<unknown> | undefined

  const open = (): Promise<unknown> => {
    subscriber = listening(redis)
    subscriber.on('error', () => undefined)
    subscriber.on('message', (_channel: string, id: string) => listeners.forEach((listener) => listener(id)))
    return subscriber.subscribe(channel)
  }
  return {
    subscribe: async (listener: Listener): Promise<() => Promise<void>> => {
      await (subscribed ??= open())
      const own: Listener = (id) => listener(id)
      listeners.add(own)
      return () => Promise.resolve(void listeners.delete(own))
    },
    close: (): Promise<void> => {
      listeners.clear()
      subscriber?.disconnect()
      return Promise.resolve()
    },
  }
}
