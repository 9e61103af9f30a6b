import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import type { Registry } from 'prom-client'
import {
  createLog,
  createStop,
  type Log,
  readEnvs,
  type Stop,
  stopOnSignals,
  whenStarterEnds,
  WorkerEnv,
} from '@plumbline/platform'
import {
  createClock,
  createInFlight,
  createIsolation,
  createRunMutex,
  createSweeper,
  type Process,
  watchClosedTasks,
} from '@plumbline/worker'
import { openOpsHistory } from '@plumbline/adapters/redis/ops/history'
import { openKeptTraces } from '@plumbline/adapters/redis/ops/kept-traces'
import { openProcesses } from '@plumbline/adapters/redis/ops/processes'
import { openTracing, shareKeptTraces } from '@plumbline/platform/tracing/open-tracing'
import { TracingEnv } from '@plumbline/platform/tracing/tracing.env'
import { type Connections, openBudget, openConnections } from './connections'
import type { Shared, ConsumerDefinition } from './define-stage'
import { type HealthServer, openHealthServer } from './health/health-server'
import { watchLiveness } from './health/liveness'
import { type HistoryRecorder, recordHistory } from './health/history'
import { countMoves, createMetrics, createRunMetrics, type WorkerMetrics } from './health/metrics'
import { reportAlive } from './health/heartbeat'
import { drain, type LaneWorker } from './lane-worker'
import { type Models, openModels } from './models/models'
import { ModelsEnv } from './models/models.env'
import { ConsumerModule, nestLog, RootModule, type Served } from './queue-processor'

/** A job delivery waits at most this long for Redis. Then its job goes back to the queue. */
const storeRetryMs = 180_000

export type HostOptions = {
  app: string
  stages: ConsumerDefinition[]
  env?: Record<string, string | undefined>
  log?: Log
  /** Set this field to false if another part of this process serves the health checks. */
  health?: boolean
}
export type Host = {
  log: Log
  models: Models
  registry: Registry
  healthPort: number | null
  drainMs: number
  lacking(): string[]
  live(): boolean
  close(): Promise<void>
}

type Running = {
  env: WorkerEnv
  models: Models
  log: Log
  stop: Stop
  connections: Connections
  process: Process
  ends: Ends
  metrics: WorkerMetrics
  history: HistoryRecorder
  workers: LaneWorker[]
  lackChecks: (() => string[])[]
}
type Ends = { draining: AbortController; ending: AbortController }

const processOf = (log: Log, ends: Ends): Process => ({
  isolation: createIsolation(),
  inFlight: createInFlight(),
  runMutex: createRunMutex(),
  clock: createClock(log),
  draining: ends.draining.signal,
  ending: ends.ending.signal,
  storeRetryMs,
})

const openConsumers = async (
  { env, models, log, stop, connections, process, metrics, history, workers, lackChecks }: Running,
  stages: ConsumerDefinition[],
  envs: unknown[],
): Promise<void> => {
  const { redis, store, queue, consumer: connection } = connections
  const budget = openBudget({
    redis,
    log,
    daily: { cents: env.TENANT_CENTS_PER_DAY, tokens: env.TENANT_TOKENS_PER_DAY },
  })
  const observe: Shared['observe'] = (observed) => {
    metrics.observe(observed)
    history.observe(observed)
  }
  const lacks: Shared['lacks'] = (check) => void lackChecks.push(check)
  const { registry } = metrics
  const done = history.observe
  const reports = { observe, done, registry, lacks }
  const shared: Shared = { env, redis, store, queue, models, budget, log, process, stop, ...reports }
  const consumers = []
  for (const [n, consumer] of stages.entries()) {
    const served: Served = { consumer: await consumer.open(shared, envs[n]), log, workers }
    consumers.push(ConsumerModule.of(consumer.queue, env.LANES, served))
  }
  const app = await NestFactory.createApplicationContext(RootModule.of(env.LANES, connection, consumers), {
    logger: nestLog(log),
    abortOnError: false,
  })
  stop.add('the modules', () => app.close())
}

/**
 * Checks the clock of this process and then starts the workers. A process with a wrong clock must not take jobs,
 * because its delays and locks would end at the wrong time.
 */
const startWorkers = async ({ workers, process: { clock }, connections: { store } }: Running): Promise<void> => {
  clock.onChange((skewed) => workers.forEach((worker) => (skewed ? worker.pause('skew') : worker.resume('skew'))))
  const before = Date.now()
  clock.saw(before, await store.now(), Date.now())
  for (const worker of workers) worker.start()
}

const lackingOf =
  ({ connections, process, ends, workers, lackChecks }: Running) =>
  (): string[] => [
    ...(connections.redis.status === 'ready' || connections.redis.status === 'connect' ? [] : ['Redis']),
    ...(process.clock.skewed ? ['a clock within 1 s of Redis'] : []),
    ...(ends.draining.signal.aborted ? ['draining'] : []),
    ...workers
      .filter(({ paused }) => paused && !process.clock.skewed)
      .map(({ queue, lane }) => `paused after errors: ${queue} in ${lane}`),
    ...lackChecks.flatMap((check) => check()),
  ]

const slotsOf = (workers: LaneWorker[]): Record<string, number> => {
  const slots: Record<string, number> = {}
  for (const { queue, freeSlots } of workers) slots[queue] = (slots[queue] ?? 0) + freeSlots
  return slots
}

const start = async (running: Running, { app, stages, health = true }: HostOptions, envs: unknown[]): Promise<Host> => {
  const { env, models, log, stop, connections, process, metrics, workers, ends } = running
  const { store, queue } = connections
  await openConsumers(running, stages, envs)
  metrics.inFlight(process.inFlight)
  stop.add('the cancellation watch', await watchClosedTasks({ store, inFlight: process.inFlight }))
  const sweeper = createSweeper({ store, queue, lanes: env.LANES, clock: process.clock, log, onHealed: metrics.healed })
  stop.add('the periodic check of runs', () => sweeper.stop())
  stop.add('the workers', () =>
    drain({ workers, inFlight: process.inFlight, ends, consumer: connections.consumer, drainMs: env.DRAIN_MS }),
  )
  const slots = slotsOf(workers)
  await startWorkers(running)
  const present = { app, slots, active: () => process.inFlight.size }
  stop.add('the heartbeat', reportAlive(openProcesses(connections.redis), present, log))
  const liveness = watchLiveness(queue, workers)
  stop.add('the liveness check', () => liveness.stop())
  const lacking = lackingOf(running)
  const server: HealthServer | null = health
    ? await openHealthServer(
        { live: liveness.live, ready: lacking, registry: metrics.registry },
        env.HOST,
        env.HEALTH_PORT,
      )
    : null
  if (server) stop.add('the health port', () => server.close())
  log.info(
    { queues: stages.map((stage) => stage.queue), lanes: env.LANES, health: server?.port, models: models.label },
    process.clock.skewed ? 'started, but processing no jobs: clock differs from redis' : 'consuming',
  )
  return {
    log,
    models,
    registry: metrics.registry,
    healthPort: server?.port ?? null,
    drainMs: env.DRAIN_MS,
    lacking,
    live: liveness.live,
    close: () => stop.run(),
  }
}

export const hostStages = async (options: HostOptions): Promise<Host> => {
  const [env, modelsEnv, tracingEnv, ...envs] = readEnvs(
    [WorkerEnv, ModelsEnv, TracingEnv, ...options.stages.map((stage) => stage.env)],
    options.env,
  )
  const log = options.log ?? createLog({ app: options.app, level: env.LOG_LEVEL })
  const stop = createStop(log, env.DRAIN_MS + 10_000)
  try {
    stop.add('tracing', await openTracing(tracingEnv, { app: options.app, log }))
    const opened = await openConnections(env.REDIS_URL, env.LANES, stop)
    stop.add('the stored traces', await shareKeptTraces(openKeptTraces(opened.redis)))
    const metrics = createMetrics()
    const history = recordHistory(openOpsHistory(opened.redis), log)
    stop.add('the ops history', () => history.stop())
    const store = countMoves(opened.store, createRunMetrics(metrics.registry), history.onMoved)
    const connections = { ...opened, store }
    const ends: Ends = { draining: new AbortController(), ending: new AbortController() }
    const models = await openModels(modelsEnv, { redis: opened.redis, log, onAttempt: history.onAttempt })
    return await start(
      {
        env,
        models,
        log,
        stop,
        connections,
        process: processOf(log, ends),
        ends,
        metrics,
        history,
        workers: [],
        lackChecks: [],
      },
      options,
      envs,
    )
  } catch (error) {
    await stop.run()
    throw error
  }
}

export const runStages = async (app: string, stagesOf: () => ConsumerDefinition[]): Promise<void> => {
  // If the parent process ends during the start, exit at once. No task is in progress yet.
  const startGoesOn = whenStarterEnds(() => process.exit(1))
  try {
    const host = await hostStages({ app, stages: stagesOf() })
    startGoesOn()
    stopOnSignals({ run: host.close }, host.log, host.drainMs)
  } catch (error) {
    process.stderr.write(`${app} could not start. ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
