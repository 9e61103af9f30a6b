import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

const numberIn = (info: string, field: string): number =>
  Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)

type Memory = { used: number; most: number }
const shareOf = ({ used, most }: Memory): number => (most > 0 ? used / most : 0)

export const openStoreUsage = (redis: RedisClient) => ({
  /** Returns the memory use of the fullest Redis node. `most` is the node's memory limit, or 0 for no limit. */
  memory: async (): Promise<Memory> => {
    const nodes = 'nodes' in redis ? redis.nodes('master') : [redis]
    const told = await Promise.all(nodes.map((node) => node.info('memory')))
    const each = told.map((info) => ({ used: numberIn(info, 'used_memory'), most: numberIn(info, 'maxmemory') }))
    return each.reduce(
      (fullest, one) => (shareOf(one) > shareOf(fullest) ? one : fullest),
      each[0] ?? { used: 0, most: 0 },
    )
  },
  unfinished: async (lanes: readonly string[]): Promise<number> =>
    (await Promise.all(lanes.map((lane) => redis.zcard(keys.open(lane))))).reduce((sum, each) => sum + each, 0),
})
export type StoreUsage = ReturnType<typeof openStoreUsage>
