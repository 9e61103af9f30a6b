import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { stages } from '@plumbline/flow'
import { jobsPerRun, measure, warmUp } from './peers/workload'

const options = { removeOnComplete: true, removeOnFail: true }

/** The limit: as many jobs a run as ours, each adding the next and nothing else, over the same five queues in one process. */
export const runChain = async (redisUrl: string, count: number, atOnce: number, concurrency: number) => {
  const client = new Redis(redisUrl, { maxRetriesPerRequest: null, enableAutoPipelining: true })
  const prefix = 'chain:{main}'
  const queues = stages.map((stage) => new Queue(stage, { connection: client, prefix }))
  const finished = new Map<string, () => void>()
  const add = async (runId: string, hop: number): Promise<void> => {
    const queue = queues[hop % queues.length]
    await queue?.add('task', { runId, taskId: `hop.${hop}` }, { ...options, jobId: `${runId}.hop.${hop}` })
  }
  // BullMQ does not close a client that was passed in.
  const consumers = stages.map(() => client.duplicate())
  const workers = stages.map(
    (stage, at) =>
      new Worker<{ runId: string; taskId: string }>(
        stage,
        async ({ data }) => {
          const hop = Number(data.taskId.slice(4))
          if (hop + 1 < jobsPerRun) await add(data.runId, hop + 1)
          else finished.get(data.runId)?.()
        },
        { connection: consumers[at] ?? client, prefix, concurrency },
      ),
  )
  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  const runOne = async (run: number): Promise<void> => {
    const runId = `c${run}`
    const end = new Promise<void>((resolve) => finished.set(runId, resolve))
    await add(runId, 0)
    await end
    finished.delete(runId)
  }
  await warmUp(runOne)
  const result = await measure({ count, atOnce, mode: 'zero', runOne })
  await Promise.all([...workers.map((worker) => worker.close()), ...queues.map((queue) => queue.close())])
  for (const one of [client, ...consumers]) one.disconnect()
  return result
}
