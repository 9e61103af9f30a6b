import { Redis } from 'ioredis'
import { mayPersist } from '@plumbline/adapters/redis/client/persistent-keys'
import { residentMb } from '@plumbline/testing/processes'
import type { Row } from '../row'
import { until } from '../wait'
import { inWorld, type World } from '../world'
import { askAll } from './crashes'

const mostBytes = 25 * 1_024
/** The maximum growth of a process. Includes memory that the garbage collector has not freed yet. */
const mostGrowth = 1.3

const usedBytes = async (redis: Redis): Promise<number> =>
  Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1])

const endless = async (redis: Redis): Promise<string[]> => {
  const found: string[] = []
  let cursor = '0'
  do {
    const [next, page] = await redis.scan(cursor, 'COUNT', 1_000)
    cursor = next
    const ttls = await Promise.all(page.map((key) => redis.pttl(key)))
    found.push(...page.filter((key, i) => ttls[i] === -1 && !mayPersist(key)))
  } while (cursor !== '0')
  return found
}

const runSome = async (world: World, count: number): Promise<number> => {
  const ids = await askAll(
    world,
    Array.from({ length: count }, () => ({ steps: '3', ms: '0' })),
  )
  await world.ended(ids, 1_800_000)
  return Math.round(Math.max(...[world.gateway, ...world.crew.members].map(({ pid }) => residentMb(pid))))
}

export const R14: Row = {
  id: 'R14',
  promise:
    '10,000 runs: ≤ 25 KB of Redis a retained run, no key without an end but those listed, no growth of a process',
  run: (scale) =>
    inWorld({ workers: 2 }, async (world) => {
      const redis = new Redis(world.redis.url)
      const count = scale === 'full' ? 10_000 : 200
      // Pay one-time costs first: scripts, queues and buffers.
      const warm = await runSome(world, Math.round(count / 5))
      const before = await usedBytes(redis)
      const last = await runSome(world, count)
      const bytes = Math.round(((await usedBytes(redis)) - before) / count)
      let left: string[] = []
      // A run has ended shortly before BullMQ removes its last job.
      await until(
        'no key without an end is left',
        async () => (left = await endless(redis)).length === 0,
        10_000,
      ).catch(() => undefined)
      redis.disconnect()
      return {
        holds: bytes <= mostBytes && left.length === 0 && (scale === 'short' || last <= warm * mostGrowth),
        figures: {
          runs: count,
          'bytes a run': bytes,
          'keys without an end': left.length,
          example: left[0] ?? '–',
          'most memory of a process': `${warm} MB, then ${last} MB`,
        },
      }
    }),
}
