import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

/** All gateways use the salt that the first gateway stored, so that all of them derive the same ids from API keys. */
export const openKeySalt = (redis: RedisClient) => ({
  share: async (own: string): Promise<string> => {
    await redis.set(keys.apiKeys('salt'), own, 'NX')
    return (await redis.get(keys.apiKeys('salt'))) ?? own
  },
})
