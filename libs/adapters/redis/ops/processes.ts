import type { ProcessView } from '@plumbline/contracts'
import type { RedisClient } from '../client/client'
import { keys } from '../client/keys'

const aliveMs = 15_000
const listedMs = 60_000

export const openProcesses = (redis: RedisClient) => ({
  beat: async (process: ProcessView, at: number): Promise<void> => {
    await Promise.all([
      redis.set(keys.process(process.id), JSON.stringify(process), 'PX', aliveMs),
      redis.zadd(keys.processes, at, process.id),
      redis.zremrangebyscore(keys.processes, '-inf', at - listedMs),
      redis.pexpire(keys.processes, listedMs),
    ])
  },
  gone: async (id: string): Promise<void> => {
    await Promise.all([redis.del(keys.process(id)), redis.zrem(keys.processes, id)])
  },
  alive: async (): Promise<ProcessView[]> => {
    const ids = await redis.zrange(keys.processes, '0', '-1')
    const found = await Promise.all(ids.map((id) => redis.get(keys.process(id))))
    return found.flatMap((text) => (text === null ? [] : [JSON.parse(text) as ProcessView]))
  },
})
export type Processes = ReturnType<typeof openProcesses>
