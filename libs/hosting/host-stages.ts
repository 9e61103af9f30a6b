import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import type { Registry } from 'prom-client'
import { createLog, createStop, readEnvs, WorkerEnv, type Log, type Stop } from '@plumbline/platform'
import {
  createClock,
  createGate,
  createHeld,
  createSweeper,
  createTurns,
  watchCancels,
  type Process,
} from '@plumbline/worker'
import { openBudget } from './budget'
import { openConnections, type Connections } from './connections'
import { drain } from './drain'
import { openHealthServer, type HealthServer } from './health/health-server'
import { createMetrics, type WorkerMetrics } from './health/metrics'
import { counting, createRunMetrics } from './health/run-metrics'
import { watchLiveness } from './health/watch-liveness'
import type { Served } from './lane-processor'
import type { Line } from './line'
import { ModelsEnv, openModels, type Models } from './models'
import { nestLog } from './nest-log'
import { ConsumerModule, RootModule } from './root-module'
import type { Shared, Wiring } from './wiring'

/** How long a delivery waits for a Redis that is away before it goes back. */
const patienceMs = 180_000

export type HostOptions = {
  app: string
  stages: Wiring[]
  env?: Record<string, string | undefined>
  log?: Log
  /** Off where another part of this process answers for its health. */
  health?: boolean
}
/** `registry`: where a gateway in the same process has its metrics too. */
export type Host = {
  log: Log
  models: Models
  registry: Registry
  healthPort: number | null
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
  lines: Line[]
}
type Ends = { draining: AbortController; ending: AbortController }

const processOf = (log: Log, ends: Ends): Process => ({
  gate: createGate(),
  held: createHeld(),
  turns: createTurns(),
  clock: createClock(log),
  draining: ends.draining.signal,
  ending: ends.ending.signal,
  patienceMs,
})

/** Opens every consumer and lets Nest build the workers around them; none takes a job yet. */
const openConsumers = async (
  { env, models, log, stop, connections, process, metrics, lines }: Running,
  stages: Wiring[],
  envs: unknown[],
): Promise<void> => {
  const { redis, store, queue, consumer: connection } = connections
  const budget = openBudget({ redis, log, dailyCents: env.TENANT_CENTS_PER_DAY })
  const shared: Shared = { env, redis, store, queue, models, budget, log, process, observe: metrics.observe, stop }
  const consumers = []
  for (const [n, wiring] of stages.entries()) {
    const served: Served = { consumer: await wiring.open(shared, envs[n]), log, lines }
    consumers.push(ConsumerModule.of(wiring.queue, env.LANES, served))
  }
  const app = await NestFactory.createApplicationContext(RootModule.of(env.LANES, connection, consumers), {
    logger: nestLog(log),
    abortOnError: false,
  })
  stop.add('the modules', () => app.close())
}

/** The clock is looked at before the first job is taken: a process that is off acts on nothing. */
const startLines = async ({ lines, process: { clock }, connections: { store } }: Running): Promise<void> => {
  clock.onChange((skewed) => lines.forEach((line) => (skewed ? line.hold('skew') : line.release('skew'))))
  const before = Date.now()
  clock.saw(before, await store.now(), Date.now())
  for (const line of lines) line.start()
}

const lackingOf =
  ({ connections, process, ends, lines }: Running) =>
  (): string[] => [
    ...(connections.redis.status === 'ready' || connections.redis.status === 'connect' ? [] : ['Redis']),
    ...(process.clock.skewed ? ['a clock within 1 s of Redis'] : []),
    ...(ends.draining.signal.aborted ? ['going on: it is stopping'] : []),
    ...lines
      .filter(({ held }) => held && !process.clock.skewed)
      .map(({ queue, lane }) => `rest after trouble: ${queue} in ${lane}`),
  ]

const start = async (running: Running, { stages, health = true }: HostOptions, envs: unknown[]): Promise<Host> => {
  const { env, models, log, stop, connections, process, metrics, lines, ends } = running
  const { store, queue } = connections
  await openConsumers(running, stages, envs)
  metrics.held(process.held)
  const stopCancels = await watchCancels({ store, held: process.held, log })
  stop.add('the watch for cancels', stopCancels)
  const sweeper = createSweeper({ store, queue, lanes: env.LANES, clock: process.clock, log, onHealed: metrics.healed })
  stop.add('the sweeper', () => sweeper.stop())
  stop.add('the workers', () =>
    drain({ lines, held: process.held, ends, consumer: connections.consumer, drainMs: env.DRAIN_MS }),
  )
  await startLines(running)
  const liveness = watchLiveness(queue, lines)
  stop.add('the watch for liveness', () => liveness.stop())
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
    process.clock.skewed ? 'started, but not consuming' : 'consuming',
  )
  return {
    log,
    models,
    registry: metrics.registry,
    healthPort: server?.port ?? null,
    lacking,
    live: liveness.live,
    close: () => stop.run(),
  }
}

/** Serves any number of queues in this process, over shared connections. What was started before a failure is stopped again. */
export const hostStages = async (options: HostOptions): Promise<Host> => {
  const [env, modelsEnv, ...envs] = readEnvs(
    [WorkerEnv, ModelsEnv, ...options.stages.map((stage) => stage.env)],
    options.env,
  )
  const log = options.log ?? createLog({ app: options.app, level: env.LOG_LEVEL })
  const stop = createStop(log, env.DRAIN_MS + 10_000)
  try {
    const opened = await openConnections(env.REDIS_URL, stop)
    const metrics = createMetrics()
    const connections = { ...opened, store: counting(opened.store, createRunMetrics(metrics.registry)) }
    const ends: Ends = { draining: new AbortController(), ending: new AbortController() }
    const models = await openModels(modelsEnv, { redis: opened.redis, log })
    return await start(
      { env, models, log, stop, connections, process: processOf(log, ends), ends, metrics, lines: [] },
      options,
      envs,
    )
  } catch (error) {
    await stop.run()
    throw error
  }
}
