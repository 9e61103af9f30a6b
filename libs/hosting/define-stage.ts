import type { Registry } from 'prom-client'
import { z } from 'zod'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import type { SkillName, Stage } from '@plumbline/flow'
import type { Log, Stop, WorkerEnv } from '@plumbline/platform'
import type { JobQueue, QueueName } from '@plumbline/ports/job-queue'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import {
  createLoop,
  limitsOf,
  type Budget,
  type Observed,
  type Process,
  type StageHandlers,
  type StageLimits,
} from '@plumbline/worker'
import { deliveryOf, settleJob, type Consumer } from './queue-processor'
import type { Done } from './health/history'
import type { Models } from './models/models'
import { StageLimitsEnv } from './stage-limits'

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
  done: (done: Done) => void
  registry: Registry
  stop: Stop
  /** Registers a function that lists missing requirements. The process is not ready while a requirement is missing. */
  lacks(look: () => string[]): void
}

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
  /** The model tasks (skills) of this stage. If all of them run in this process, the stage does one task at a time. */
  skills?: readonly SkillName[]
  limits?(env: z.output<E>): Partial<Record<keyof StageLimits, number | undefined>>
  handlers(shared: Shared, env: z.output<E>): Promise<StageHandlers<S>> | StageHandlers<S>
}

/** Returns whether all skills run inside this process. Parallel tasks would then only compete for its one thread. */
const runsInProcess = (models: Models, skills: readonly SkillName[]): boolean =>
  skills.length > 0 && skills.every((skill) => models.isInProcess(skill))

export const defineStage = <S extends Stage, E extends z.ZodType>({
  stage,
  env,
  skills = [],
  limits,
  handlers,
}: StageParts<S, E>): ConsumerDefinition =>
  defineConsumer({
    queue: stage,
    env: z.intersection(StageLimitsEnv(stage), env),
    open: async (shared, read) => {
      const own = Object.fromEntries(
        Object.entries({ ...read.limits, ...limits?.(read) }).filter(([, value]) => value !== undefined),
      )
      const merged: StageLimits = {
        ...limitsOf(stage),
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
