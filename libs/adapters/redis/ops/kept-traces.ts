import type { KeptTraces } from '@plumbline/platform/tracing/open-tracing'
import { openChannels } from '../client/channels'
import type { RedisClient } from '../client/client'
import { keptTracesChannel } from '../client/keys'

export const openKeptTraces = (redis: RedisClient): KeptTraces => {
  const { subscribe, close } = openChannels(redis)
  return {
    tell: (traceId) => redis.publish(keptTracesChannel, traceId),
    hear: async (onKept) => {
      await subscribe(keptTracesChannel, onKept)
      return close
    },
  }
}
