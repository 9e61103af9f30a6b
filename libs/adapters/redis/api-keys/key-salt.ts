import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

/**
 * Stores the salt of the first gateway and returns it to all gateways, so that they derive the same ids for the keys in
 * the settings.
 */
export const openKeySalt = (redis: RedisClient) => ({
  share: async (own: string): Promise<string> => {
    await redis.set(keys.apiKeys('salt'), own, 'NX')
    return (await redis.get(keys.apiKeys('salt'))) ?? own
  },
})
