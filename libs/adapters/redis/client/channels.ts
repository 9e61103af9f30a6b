import { Cluster } from 'ioredis'
import { keys } from './keys'
import type { RedisClient } from './client'

type Listener = (message: string) => void

const listening = (redis: RedisClient): RedisClient =>
  redis instanceof Cluster
    ? redis.duplicate([], { enableOfflineQueue: true })
    : redis.duplicate({
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
        enableAutoPipelining: false,
      })

/** Opens Redis channels. A channel is subscribed only while at least one listener listens to it. */
export const openChannels = (redis: RedisClient) => {
  const byChannel = new Map<string, Set<Listener>>()
  let subscriber: RedisClient | undefined

  const open = (): RedisClient => {
    const opened = listening(redis)
    opened.on('error', () => undefined)
    opened.on('message', (channel: string, message: string) =>
      byChannel.get(channel)?.forEach((listener) => listener(message)),
    )
    return opened
  }
  const forget = async (channel: string, listener: Listener): Promise<void> => {
    const listeners = byChannel.get(channel)
    if (!listeners?.delete(listener) || listeners.size > 0) return
    byChannel.delete(channel)
    await subscriber?.unsubscribe(channel).catch(() => undefined)
  }
  return {
    /** Waits without a time limit while Redis is unavailable. */
    subscribe: async (channel: string, onMessage: Listener): Promise<() => Promise<void>> => {
      const listener: Listener = (message) => onMessage(message)
      byChannel.set(channel, (byChannel.get(channel) ?? new Set()).add(listener))
      subscriber ??= open()
      try {
        await subscriber.subscribe(channel)
      } catch (error) {
        await forget(channel, listener)
        throw error
      }
      return () => forget(channel, listener)
    },
    close: (): Promise<void> => {
      byChannel.clear()
      subscriber?.disconnect()
      return Promise.resolve()
    },
  }
}

export const openChangeChannels = (redis: RedisClient) => {
  const { subscribe, close } = openChannels(redis)
  return {
    document: (id: string, onChange: () => void) => subscribe(keys.document(id), onChange),
    desk: (tenant: string, onChange: () => void) => subscribe(keys.parked(tenant, 'rows'), onChange),
    apiKey: (onChange: (id: string) => void) => subscribe(keys.apiKeys('rows'), onChange),
    close,
  }
}
