import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

/** The first gateway stores the salt, which then never changes, so all gateways derive the same ids. */
export const openKeySalt = (redis: RedisClient) => ({
  share: async (own: string): Promise<string> => {
    await redis.set(keys.apiKeys('salt'), own, 'NX')
    return (await redis.get(keys.apiKeys('salt'))) ?? own
  },
})
