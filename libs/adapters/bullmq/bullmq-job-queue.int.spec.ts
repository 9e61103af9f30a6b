import { describe, expect, it } from 'vitest'
import type { Job } from '@plumbline/flow'
import { jobQueueContract } from '@plumbline/ports/job-queue.contract'
import { openBullMqJobQueue } from './bullmq-job-queue'
import { queuePrefix } from './queues'
import { ownRedis } from '@plumbline/adapters/redis/spec/own-redis.spec'

const { redis } = await ownRedis()

const open = async () => {
  await redis.call('FLUSHALL')
  const queue = openBullMqJobQueue({ connection: redis })
  const keyOf = (lane: string, { queue: name, jobId }: Job, part = jobId) => `${queuePrefix(lane)}:${name}:${part}`
  return { queue, keyOf, close: () => queue.close() }
}

describe('the BullMQ queue', () => {
  const job: Job = { queue: 'grader', jobId: 'r1.plan', data: { runId: 'r1', taskId: 'plan' } }

  it('heals a job whose list was deleted and whose hash would block its id', async () => {
    const { queue, keyOf } = await open()
    await queue.add('main', [job])
    await redis.call('DEL', keyOf('main', job, 'wait'))
    await queue.add('main', [job])
    expect((await queue.depth('main', 'grader')).waiting).toBe(0)
    expect(await queue.heal('main', [job])).toBe(1)
    expect((await queue.depth('main', 'grader')).waiting).toBe(1)
    await queue.close()
  })

  it('stores the run and the task, and nothing else', async () => {
    const { queue, keyOf } = await open()
    await queue.add('main', [job])
    expect(await redis.call('HGET', keyOf('main', job), 'data')).toBe('{"runId":"r1","taskId":"plan"}')
    await queue.close()
  })
})

jobQueueContract('BullMQ', async () => {
  const bench = await open()
  return {
    ...bench,
    lose: async (lane, job) => {
      await redis.call('LREM', bench.keyOf(lane, job, 'wait'), '0', job.jobId)
      await redis.call('ZREM', bench.keyOf(lane, job, 'prioritized'), job.jobId)
      await redis.call('DEL', bench.keyOf(lane, job))
    },
  }
})
