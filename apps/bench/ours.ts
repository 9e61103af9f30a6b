import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq'
import { connectFailFast, openRedisRunStore, whenReady } from '@plumbline/adapters/redis'
import { advance, openJobs, policies, stages, start, type Policy, type Run, type Stage } from '@plumbline/flow'
import { defineStage, hostStages } from '@plumbline/hosting'
import { createLog } from '@plumbline/platform'
import type { RunStore } from '@plumbline/ports/run-store'
import type { StageHandlers } from '@plumbline/worker'
import { z } from 'zod'
import {
  draft,
  grades,
  grading,
  jobsPerRun,
  measure,
  modelCall,
  passages,
  queries,
  steps,
  warmUp,
  type Measured,
  type Mode,
} from './peers/workload'

const runNumber = (run: Run): number => Number(run.metadata?.n)

/** The shared workload as handlers of the five stages: the same payloads and model calls as every peer. */
const handlers = (mode: Mode): StageHandlers<Stage> => ({
  route: async ({ run }) => {
    await modelCall(mode, runNumber(run), 'route')
    return { outcome: 'research', logic: 'the collection covers it', collections: ['bench'] }
  },
  plan: async ({ run }) => {
    await modelCall(mode, runNumber(run), 'plan')
    return {
      outcome: 'planned',
      logic: 'three cases',
      steps: Array.from({ length: steps }, (_, i) => ({ question: `step ${i + 1}`, waitsFor: null })),
    }
  },
  research: async ({ run, task: { step } }) => {
    await modelCall(mode, runNumber(run), 'research', step)
    return { outcome: 'found', source: 'index', queries: queries(step), passages: passages(step) }
  },
  'grade-evidence': async ({ run, task: { step, passageIds } }) => {
    await modelCall(mode, runNumber(run), 'grade-evidence', step)
    return { outcome: 'graded', overall: 'correct', grades: grades(passageIds) }
  },
  generate: async ({ run }) => {
    await modelCall(mode, runNumber(run), 'generate')
    return { outcome: 'drafted', ...draft() }
  },
  reply: () => Promise.resolve({ outcome: 'replied', text: 'a reply' }),
  'grade-answer': async ({ run }) => {
    await modelCall(mode, runNumber(run), 'grade-answer')
    return { outcome: 'graded', ...grading() }
  },
})

const noEnv = z.object({})
const wiringOf = (stage: Stage, mode: Mode) => defineStage({ stage, env: noEnv, handlers: () => handlers(mode) })

const policyOf = (): Policy => {
  const { standard } = policies
  if (!standard) throw new Error('no standard policy')
  return standard
}

/** An ask as the gateway makes it: scheduled, created, dispatched, in this order. */
const asker =
  (store: RunStore, add: (run: Run) => Promise<void>) =>
  async (n: number): Promise<string> => {
    const id = `r${randomBytes(12).toString('hex')}`
    const at = Date.now()
    const asked = start(
      {
        id,
        tenant: 'bench',
        lane: 'main',
        question: 'How is the energy of the building read in three cases?',
        collections: ['bench'],
        webOn: false,
        metadata: { n: `${n}` },
        at,
      },
      policyOf(),
    )
    const admitted = advance(asked.run, { kind: 'admit', taskId: 'admit', at, result: { outcome: 'admitted' } })
    if (admitted.kind === 'stale') throw new Error('not admitted')
    await store.schedule({ lane: 'main', runId: id }, at + 30_000)
    await store.create(admitted.run, [...asked.events, ...admitted.events], id)
    await add(admitted.run)
    return id
  }

/** Waits for runs to end: a run that has published as often as it has tasks is loaded and looked at. */
const watchEnds = async (store: RunStore) => {
  const waiting = new Map<string, (run: Run) => void>()
  const heard = new Map<string, number>()
  const look = async (id: string): Promise<void> => {
    const run = (await store.load(id))?.run
    const done = waiting.get(id)
    if (!run?.endedAt || !done) return
    waiting.delete(id)
    heard.delete(id)
    done(run)
  }
  const stop = await store.subscribe((id) => {
    const times = (heard.get(id) ?? 0) + 1
    heard.set(id, times)
    if (times >= jobsPerRun && waiting.has(id)) void look(id)
  })
  const ended = (id: string): Promise<Run> => {
    const end = new Promise<Run>((resolve) => waiting.set(id, resolve))
    if ((heard.get(id) ?? 0) >= jobsPerRun) void look(id)
    return end
  }
  return { ended, stop }
}

const openOurs = async (redisUrl: string, mode: Mode, concurrency: number) => {
  const log = createLog({ app: 'bench', level: 'warn' })
  const env = { REDIS_URL: redisUrl, CONCURRENCY: `${concurrency}`, LOG_LEVEL: 'warn' }
  const host = await hostStages({
    app: 'bench',
    stages: stages.map((stage) => wiringOf(stage, mode)),
    env,
    log,
    health: false,
  })
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const store = openRedisRunStore({ redis })
  const queue = openBullMqJobQueue({ connection: redis })
  const ends = await watchEnds(store)
  const ask = asker(store, (run) => queue.add('main', openJobs(run)))
  const runOne = async (n: number): Promise<void> => {
    const run = await ends.ended(await ask(n))
    if (run.reason !== 'answered.checked' || run.steps.length !== steps)
      throw new Error(`run ${n} ended as ${run.reason}`)
  }
  const close = async (): Promise<void> => {
    await host.close()
    await ends.stop()
    await queue.close()
    await store.close()
    redis.disconnect()
  }
  return { runOne, close }
}

const usedBytes = async (redis: Redis): Promise<number> =>
  Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1])

export type OursMeasured = Measured & { bytesPerRun: number }

export const runOurs = async (
  redisUrl: string,
  { count, atOnce, mode, concurrency }: { count: number; atOnce: number; mode: Mode; concurrency: number },
): Promise<OursMeasured> => {
  const ours = await openOurs(redisUrl, mode, concurrency)
  const redis = new Redis(redisUrl)
  await warmUp(ours.runOne)
  const before = await usedBytes(redis)
  const measured = await measure({ count, atOnce, mode, runOne: ours.runOne })
  const bytesPerRun = Math.round(((await usedBytes(redis)) - before) / count)
  await ours.close()
  redis.disconnect()
  return { ...measured, bytesPerRun }
}
