import { createHash, randomBytes } from 'node:crypto'
import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

export const sessionMs = 15 * 60_000

const keyOf = (token: string): string => keys.pageSession(createHash('sha256').update(token).digest('base64url'))

/** A browser cannot send an API key when it loads a page. Only the hash of a token is stored, for 15 minutes. */
export const openPageSessions = (redis: RedisClient) => ({
  begin: async (): Promise<string> => {
    const token = randomBytes(24).toString('base64url')
    await redis.set(keyOf(token), '1', 'PX', sessionMs)
    return token
  },
  isKnown: async (token: string): Promise<boolean> => (await redis.exists(keyOf(token))) === 1,
})
export type PageSessions = ReturnType<typeof openPageSessions>
