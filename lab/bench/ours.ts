import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { stageKeys } from '@plumbline/adapters/bullmq/queues'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openFairShare, type FairShare } from '@plumbline/adapters/redis/limits/fair-share'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { advance, openJobs, policies, stages, start, type Policy, type Run, type Stage } from '@plumbline/flow'
import { defineStage } from '@plumbline/hosting/define-stage'
import { laneOf } from '@plumbline/gateway/runs/ask.service'
import { type Host, hostStages } from '@plumbline/hosting/host-stages'
import { createLog } from '@plumbline/platform'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
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

/** Payloads and simulated model calls are the same for every compared program. */
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
  return { ...standard, gradeEvidence: 'first' }
}

/** Creates runs with the same steps as the gateway, in the same order. */
const asker =
  (store: RunStore, turns: FairShare, add: (run: Run) => Promise<void>) =>
  async (n: number, id: string, lane: string): Promise<void> => {
    const taken = await turns.take(lane, { tenant: 'bench', class: 'interactive', cost: 1, weight: 1 })
    const at = Date.now()
    const asked = start(
      {
        id,
        tenant: 'bench',
        lane,
        question: 'How is the energy of the building read in three cases?',
        collections: ['bench'],
        webOn: false,
        metadata: { n: `${n}` },
        ...(taken.kind === 'taken' && { turn: taken.turn }),
        at,
      },
      policyOf(),
    )
    const admitted = advance(asked.run, { kind: 'admit', taskId: 'admit', at, result: { outcome: 'admitted' } })
    if (admitted.kind === 'stale') throw new Error('not admitted')
    await store.schedule({ lane, runId: id }, at + 30_000)
    await store.create(admitted.run, [...asked.events, ...admitted.events], id)
    await add(admitted.run)
  }

/** Must be called before the run is created. */
const watchEnd = async (store: RunStore, id: string): Promise<{ ended: Promise<Run> }> => {
  const { promise: ended, resolve, reject } = Promise.withResolvers<Run>()
  let moves = 0
  const look = async (): Promise<void> => {
    const run = (await store.load(id))?.run
    if (run?.endedAt) resolve(run)
  }
  const stop = await store.subscribe(id, () => {
    moves += 1
    if (moves >= jobsPerRun) look().catch(reject)
  })
  return { ended: ended.finally(() => void stop()) }
}

type HostOptions = { redisUrl: string; mode: Mode; concurrency: number; lanes: string[] }

export const hostOurs = ({ redisUrl, mode, concurrency, lanes }: HostOptions): Promise<Host> =>
  hostStages({
    app: 'bench',
    stages: stages.map((stage) => wiringOf(stage, mode)),
    env: {
      REDIS_URL: redisUrl,
      CONCURRENCY: `${concurrency}`,
      LANES: lanes.join(','),
      LOG_LEVEL: 'warn',
      EMBEDDING_MODEL: 'none',
    },
    log: createLog({ app: 'bench', level: 'warn' }),
    health: false,
  })

export const openAsker = async (redisUrl: string) => {
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const store = openRedisRunStore({ redis })
  const queue = openBullMqJobQueue({ connection: redis })
  const ask = asker(store, openFairShare({ redis, queueKeys: stageKeys }), (run) => queue.add(run.lane, openJobs(run)))
  const runOne = async (n: number, lanes: string[]): Promise<Run> => {
    const id = `r${randomBytes(12).toString('hex')}`
    const { ended } = await watchEnd(store, id)
    await ask(n, id, laneOf(id, lanes))
    const run = await ended
    if (run.reason !== 'answered.checked' || run.steps.length !== steps)
      throw new Error(`run ${n} ended as ${run.reason}`)
    return run
  }
  const close = async (): Promise<void> => {
    await queue.close()
    await store.close()
    redis.disconnect()
  }
  return { runOne, store, redis, close }
}

const usedBytes = async (redis: Redis): Promise<number> =>
  Number(/used_memory_dataset:(\d+)/.exec(await redis.info('memory'))?.[1])

export type OursMeasured = Measured & { bytesPerRun: number }

export const runOurs = async (
  redisUrl: string,
  { count, atOnce, mode, concurrency }: { count: number; atOnce: number; mode: Mode; concurrency: number },
): Promise<OursMeasured> => {
  const lanes = ['main']
  const host = await hostOurs({ redisUrl, mode, concurrency, lanes })
  const ours = await openAsker(redisUrl)
  const redis = new Redis(redisUrl)
  const runOne = async (n: number): Promise<void> => void (await ours.runOne(n, lanes))
  await warmUp(runOne)
  const before = await usedBytes(redis)
  const measured = await measure({ count, atOnce, mode, runOne })
  const bytesPerRun = Math.round(((await usedBytes(redis)) - before) / count)
  await ours.close()
  await host.close()
  redis.disconnect()
  return { ...measured, bytesPerRun }
}
