import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { openJobs } from '@plumbline/flow'
import { inspect } from '../inspect'
import { seconds, type Row } from '../row'
import { pause } from '../wait'
import { inWorld, type World } from '../world'
import { askAll } from './crashes'

const prefix = 'plumbline:{main}'

const duplicating = async (world: World) => {
  const connection = new Redis(world.redis.url, { maxRetriesPerRequest: null })
  const queues = new Map<string, Queue>()
  let added = 0
  const again = async (runId: string): Promise<void> => {
    const run = (await world.store.load(runId))?.run
    for (const job of run ? openJobs(run) : []) {
      if (job.queue === 'review') continue
      const queue = queues.get(job.queue) ?? new Queue(job.queue, { connection, prefix })
      queues.set(job.queue, queue)
      for (let copy = 0; copy <= Math.round(Math.random()); copy++) {
        added++
        await queue.add('task', job.data, {
          jobId: `${job.jobId}.copy${added}`,
          delay: Math.floor(Math.random() * 400),
          removeOnComplete: true,
          removeOnFail: true,
        })
      }
    }
  }
  const moves = new Redis(world.redis.url)
  moves.on('pmessage', (_pattern, channel: string) => void again(/\{(.+)\}/.exec(channel)?.[1] ?? ''))
  await moves.psubscribe('run:*:ledger')
  const stop = async (): Promise<void> => {
    moves.disconnect()
    await Promise.all([...queues.values()].map((queue) => queue.close()))
    connection.disconnect()
  }
  return { added: () => added, stop }
}

export const R10: Row = {
  id: 'R10',
  promise: 'each job delivered 2–3 times, out of order: one effect per task',
  run: (scale) =>
    inWorld({ workers: 2 }, async (world) => {
      const count = scale === 'full' ? 300 : 60
      const copies = await duplicating(world)
      const ids = await askAll(
        world,
        Array.from({ length: count }, () => ({ ms: '10' })),
        10,
      )
      await world.ended(ids, 180_000)
      await pause(1_000)
      await copies.stop()
      const { ended, wrong } = await inspect(world, ids)
      return {
        holds: ended === count && wrong.length === 0 && copies.added() >= count,
        figures: { runs: count, copies: copies.added(), ended: `${ended}/${count}`, wrong: wrong.length },
      }
    }),
}

const keysNow = async (redis: Redis): Promise<string[]> =>
  (await redis.keys(`${prefix}:*`)).filter((key) => !key.endsWith(':meta'))

export const E5: Row = {
  id: 'E5',
  promise: 'any single queue job or queue key deleted: every run still ends, ≤ 60 s',
  run: (scale) =>
    inWorld({ workers: 2 }, async (world) => {
      const deletions = scale === 'full' ? 500 : 60
      const redis = new Redis(world.redis.url)
      const ids: string[] = []
      let deleted = 0
      while (deleted < deletions) {
        ids.push(
          ...(await askAll(
            world,
            Array.from({ length: 4 }, () => ({ ms: '60' })),
            4,
          )),
        )
        await pause(Math.random() * 150)
        const keys = await keysNow(redis)
        const key = keys[Math.floor(Math.random() * keys.length)]
        if (key) deleted += await redis.del(key)
      }
      const took = await world.ended(ids, 60_000)
      const { ended, wrong } = await inspect(world, ids)
      redis.disconnect()
      return {
        holds: ended === ids.length && wrong.length === 0,
        figures: { deleted, ended: `${ended}/${ids.length}`, 'last end after': seconds(took), wrong: wrong.length },
      }
    }),
}
