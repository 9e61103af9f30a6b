import { randomBytes } from 'node:crypto'
import { vi } from 'vitest'
import { z } from 'zod'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { checkStoreShape } from '@plumbline/adapters/redis/client/keys'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import type { Evidence } from '@plumbline/contracts'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import {
  advance,
  type Policy,
  policyByName,
  type Run,
  type SkillName,
  type Stage,
  stages,
  start,
} from '@plumbline/flow'
import { type Log, silent, startPrivateRedis } from '@plumbline/platform'
import { dispatch, moveRun, type StageHandlers } from '@plumbline/worker'
import { defineStage } from '../define-stage'
import { type Host, hostStages } from '../host-stages'

const passage = (step: number): Evidence => ({
  id: `p${step}`,
  documentId: `d${step}`,
  collection: 'default',
  title: `Document ${step}`,
  text: `Fact ${step}.`,
  headingPath: [],
  position: 0,
  scores: {},
})

export const plainHandlers = (): StageHandlers<Stage> => ({
  route: async ({ run }) => ({ outcome: 'research', logic: 'plain', collections: run.collections }),
  plan: async () => ({
    outcome: 'planned',
    logic: 'plain',
    steps: [1, 2].map((n) => ({ question: `part ${n}`, waitsFor: null })),
  }),
  research: async ({ task }) => ({
    outcome: 'found',
    queries: [`part ${task.step}`],
    source: 'index',
    passages: [passage(task.step)],
  }),
  'grade-evidence': async ({ task }) => ({
    outcome: 'graded',
    overall: 'correct',
    grades: task.passageIds.map((passageId) => ({
      passageId,
      relevant: true,
      level: 'high' as const,
      confidence: 1,
      reason: 'plain',
    })),
  }),
  generate: async ({ evidence }) => ({
    outcome: 'drafted',
    text: evidence.map(({ text }, n) => `${text} [${n + 1}]`).join(' '),
    citations: evidence.map(({ id }, n) => ({ n: n + 1, passageId: id })),
  }),
  reply: async () => ({ outcome: 'replied', text: 'plain' }),
  'grade-answer': async ({ evidence }) => ({
    outcome: 'graded',
    claims: evidence.map(({ id, text }) => ({
      text,
      kind: 'fact' as const,
      verdict: 'supported' as const,
      reason: 'plain',
      passageId: id,
    })),
    parts: [{ what: 'all', outcome: 'answered' }],
    support: 'full',
    usefulness: 5,
    confidence: 1,
    tooBroad: false,
  }),
})

const env = z.object({})
type Limits = { attempts?: number; timeoutMs?: number; backoffMs?: number; concurrency?: number }
type HostAsk = {
  handlers?: Partial<StageHandlers<Stage>>
  stages?: readonly Stage[]
  skills?: readonly SkillName[]
  limits?: Limits
  env?: Record<string, string>
  log?: Log
}

export const until = <T>(check: () => T | Promise<T>, timeout = 20_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 20 })

const asking =
  (store: RunStore, queue: JobQueue) =>
  async (policy: Partial<Policy> = {}, lane = 'main'): Promise<string> => {
    const standard = policyByName('standard')
    if (!standard) throw new Error('no standard policy')
    const id = `r${randomBytes(12).toString('hex')}`
    const at = await store.now()
    const question = 'What is part 1, and what is part 2?'
    const begun = start(
      { id, tenant: 'default', lane, question, collections: ['default'], webOn: false, at },
      { ...standard, gradeEvidence: 'first', ...policy },
    )
    await store.schedule({ lane, runId: id }, at + 15_000)
    await store.create(begun.run, begun.events, id)
    const made = await moveRun(store, id, (run, now) =>
      advance(run, { taskId: 'admit', kind: 'admit', at: now, result: { outcome: 'admitted' } }),
    )
    if (made.kind === 'moved') await dispatch({ store, queue }, made.before, made.after)
    return id
  }

export const benchOn = async <S extends { url: string; stop(): Promise<void> }>(server: S) => {
  const redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  await checkStoreShape(redis)
  const store = openRedisRunStore({ redis })
  const queue = openBullMqJobQueue({ connection: redis })
  const hosts: Host[] = []

  const host = async ({
    handlers = {},
    stages: served = stages,
    skills = [],
    limits,
    env: settings = {},
    log = silent,
  }: HostAsk = {}): Promise<Host> => {
    const all = { ...plainHandlers(), ...handlers }
    const definitions = served.map((stage) =>
      defineStage({ stage, env, skills, limits: () => limits ?? {}, handlers: () => all }),
    )
    const started = await hostStages({
      app: 'spec',
      stages: definitions,
      log,
      env: { REDIS_URL: server.url, ...settings },
    })
    hosts.push(started)
    return started
  }
  const ask = asking(store, queue)
  const load = async (id: string): Promise<Run> => {
    const loaded = await store.load(id)
    if (!loaded) throw new Error(`no run ${id}`)
    return loaded.run
  }
  const ended = (id: string, timeout?: number): Promise<Run> =>
    until(async () => {
      const run = await load(id)
      if (run.endedAt === undefined)
        throw new Error(`still ${run.status}: ${run.open.map((task) => task.id).join(' ')}`)
      return run
    }, timeout)
  const close = async (): Promise<void> => {
    await Promise.all(hosts.map((each) => each.close()))
    await queue.close()
    await store.close()
    redis.disconnect()
    await server.stop()
  }
  return { server, redis, store, queue, host, ask, load, ended, close }
}
export const openBench = async () => benchOn(await startPrivateRedis())
export type Bench = Awaited<ReturnType<typeof openBench>>
