import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { stages, type Stage } from '@plumbline/flow'
import { jobsPerRun, measure, steps, warmUp } from './peers/workload'

const options = { removeOnComplete: true, removeOnFail: true }
type Hop = { stage: Stage; task: string; opens: (last: boolean) => Hop[] }
type Data = { runId: string; task: string }

const once = (stage: Stage, task: string, ...next: Hop[]): Hop => ({ stage, task, opens: () => next })
const check = once('grader', 'check')
const generate = once('generator', 'generate', check)
const graded = (step: number): Hop => ({
  stage: 'grader',
  task: `grade.${step}`,
  opens: (last) => (last ? [generate] : []),
})
const research = (step: number): Hop => once('researcher', `research.${step}`, graded(step))
const plan = once('planner', 'plan', ...Array.from({ length: steps }, (_, at) => research(at + 1)))
const route = once('router', 'route', plan)

const reachedFrom = (hop: Hop): Hop[] => [hop, ...hop.opens(true).flatMap(reachedFrom)]
const hops = new Map(reachedFrom(route).map((hop) => [hop.task, hop]))
if (hops.size !== jobsPerRun) throw new Error(`the chain has ${hops.size} jobs a run and ours ${jobsPerRun}`)

/** Measures the upper limit of throughput: the same jobs in the same queues, but without a run store. */
export const runChain = async (redisUrl: string, count: number, atOnce: number, concurrency: number) => {
  const client = new Redis(redisUrl, { maxRetriesPerRequest: null, enableAutoPipelining: true })
  const prefix = 'chain:{main}'
  const queues = new Map(stages.map((stage) => [stage, new Queue<Data>(stage, { connection: client, prefix })]))
  const under = new Map<string, { stepsLeft: number; finish: () => void }>()
  const add = async (stage: Stage, jobs: Data[]): Promise<void> => {
    const bulk = jobs.map((data) => ({
      name: 'task',
      data,
      opts: { ...options, jobId: `${data.runId}.${data.task}` },
    }))
    await queues.get(stage)?.addBulk(bulk)
  }

  let starting: Data[] = []
  const start = (runId: string): void => {
    if (starting.length === 0)
      setImmediate(() => {
        const jobs = starting
        starting = []
        void add(route.stage, jobs)
      })
    starting.push({ runId, task: route.task })
  }
  const work = async ({ runId, task }: Data): Promise<void> => {
    const run = under.get(runId)
    const hop = hops.get(task)
    if (!run || !hop) throw new Error(`nobody waits for ${runId} ${task}`)
    if (task.startsWith('grade.')) run.stepsLeft -= 1
    const next = hop.opens(run.stepsLeft === 0)
    if (next[0])
      await add(
        next[0].stage,
        next.map((opened) => ({ runId, task: opened.task })),
      )
    else if (hop === check) run.finish()
  }
  // Create a client for each worker, to disconnect it below. BullMQ does not close a client that was passed in.
  const consumers = stages.map(() => client.duplicate())
  const workers = stages.map(
    (stage, at) =>
      new Worker<Data>(stage, ({ data }) => work(data), { connection: consumers[at] ?? client, prefix, concurrency }),
  )
  await Promise.all(workers.map((worker) => worker.waitUntilReady()))
  const runOne = async (run: number): Promise<void> => {
    const runId = `c${run}`
    await new Promise<void>((finish) => {
      under.set(runId, { stepsLeft: steps, finish })
      start(runId)
    })
    under.delete(runId)
  }
  await warmUp(runOne)
  const result = await measure({ count, atOnce, mode: 'zero', runOne })
  await Promise.all([...workers.map((worker) => worker.close()), ...[...queues.values()].map((queue) => queue.close())])
  for (const one of [client, ...consumers]) one.disconnect()
  return result
}
