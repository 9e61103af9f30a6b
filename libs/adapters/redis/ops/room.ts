import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

const numberIn = (info: string, field: string): number =>
  Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)

/** How full the store is, and how many runs of these lanes have not ended. */
export const openRoom = (redis: RedisClient) => ({
  isFull: async (): Promise<boolean> => {
    const info = await redis.info('memory')
    const most = numberIn(info, 'maxmemory')
    return most > 0 && numberIn(info, 'used_memory') >= most
  },
  unfinished: async (lanes: readonly string[]): Promise<number> =>
    (await Promise.all(lanes.map((lane) => redis.zcard(keys.open(lane))))).reduce((sum, each) => sum + each, 0),
})
export type Room = ReturnType<typeof openRoom>
