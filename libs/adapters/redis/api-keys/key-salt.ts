import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

/** The salt from which all gateways derive ids of keys in their settings. It is stored once and never changes. */
export const openKeySalt = (redis: RedisClient) => ({
  share: async (own: string): Promise<string> => {
    await redis.set(keys.apiKeys('salt'), own, 'NX')
    return (await redis.get(keys.apiKeys('salt'))) ?? own
  },
})
