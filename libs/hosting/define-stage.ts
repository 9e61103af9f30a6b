import type { Registry } from 'prom-client'
import type { z } from 'zod'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { SkillName, Stage } from '@plumbline/flow'
import type { Log, Stop, WorkerEnv } from '@plumbline/platform'
import type { JobQueue, QueueName } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import {
  createLoop,
  stageLimits,
  type Budget,
  type Observed,
  type Process,
  type StageHandlers,
  type StageLimits,
} from '@plumbline/worker'
import { deliveryOf, settleJob, type Consumer } from './queue-processor'
import type { Done } from './health/history'
import type { Models } from './models/models'

/** Parts shared by every consumer of one process. */
export type Shared = {
  env: WorkerEnv
  redis: RedisClient
  store: RunStore
  queue: JobQueue
  models: Models
  budget: Budget
  log: Log
  process: Process
  observe: (observed: Observed) => void
  /** Counts a delivery of a queue other than a stage's. */
  done: (done: Done) => void
  /** The registry for a consumer's own metrics. */
  registry: Registry
  /** Resources of a consumer, which close after the last task and before the connections. */
  stop: Stop
  /** Reports missing dependencies in words, which make the process unready. */
  lacks(look: () => string[]): void
}

/** The definition of a consumer: its queue, its settings, and its resources. */
export type ConsumerDefinition = {
  queue: QueueName
  env: z.ZodType
  open(shared: Shared, env: unknown): Promise<Consumer>
}

type QueueParts<E extends z.ZodType> = {
  queue: QueueName
  env: E
  open(shared: Shared, env: z.output<E>): Promise<Consumer> | Consumer
}

export const defineConsumer = <E extends z.ZodType>({ queue, env, open }: QueueParts<E>): ConsumerDefinition => ({
  queue,
  env,
  open: async (shared, read) => open(shared, read as z.output<E>),
})

type StageParts<S extends Stage, E extends z.ZodType> = {
  stage: S
  env: E
  /** The skills of its tasks. If none of them asks a model, the stage works on one task at a time. */
  skills?: readonly SkillName[]
  limits?(env: z.output<E>): Partial<Record<keyof StageLimits, number | undefined>>
  handlers(shared: Shared, env: z.output<E>): Promise<StageHandlers<S>> | StageHandlers<S>
}

/**
 * Several tasks at once would share one thread and end no sooner. They would only delay other tenants' tasks,
 * because the queue orders tenants.
 */
const runsInProcess = (models: Models, skills: readonly SkillName[]): boolean =>
  skills.length > 0 && skills.every((skill) => models.isInProcess(skill))

/** Defines a stage by its handlers. */
export const defineStage = <S extends Stage, E extends z.ZodType>({
  stage,
  env,
  skills = [],
  limits,
  handlers,
}: StageParts<S, E>): ConsumerDefinition =>
  defineConsumer({
    queue: stage,
    env,
    open: async (shared, read) => {
      const own = Object.fromEntries(Object.entries(limits?.(read) ?? {}).filter(([, value]) => value !== undefined))
      const merged: StageLimits = {
        ...stageLimits[stage],
        ...(shared.env.CONCURRENCY && { concurrency: shared.env.CONCURRENCY }),
        ...(runsInProcess(shared.models, skills) && { concurrency: 1 }),
        ...own,
      }
      const { store, queue, budget, log, process, observe } = shared
      const loop = createLoop({
        stage,
        handlers: await handlers(shared, read),
        limits: merged,
        store,
        queue,
        budget,
        log,
        process,
        observe,
      })
      return {
        concurrency: merged.concurrency,
        handle: async (job, token) => settleJob(job, token, await loop(deliveryOf(job))),
      }
    },
  })
