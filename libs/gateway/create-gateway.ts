import 'reflect-metadata'
import { join } from 'node:path'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { openBullMqJobQueue, openIngestQueue } from '@plumbline/adapters/bullmq'
import { openDocumentFiles } from '@plumbline/adapters/files'
import { connectFailFast, openRedisRunStore, openSpending, RedisCatalog, whenReady } from '@plumbline/adapters/redis'
import { counting, createRunMetrics } from '@plumbline/hosting/health/run-metrics'
import type { Policy } from '@plumbline/flow'
import { EnvError } from '@plumbline/platform/env'
import { silent, type Log } from '@plumbline/platform/log'
import { createStop } from '@plumbline/platform/stop'
import type { RemovePassages } from './documents/documents.service'
import { keysFor } from './door/api-keys'
import { openServer } from './door/server'
import { GatewayModule, type GatewayPorts } from './gateway.module'
import { policyBook } from './policies/policy-book'
import type { Settings } from './settings'

export type GatewayOptions = {
  redisUrl: string
  host?: string
  /** 0 takes a free one. */
  port?: number
  /** As in the environment: `key:tenant:role[+role],…`. Without keys there is local mode only. */
  apiKeys?: string
  lanes?: string[]
  webOn?: boolean
  /** What the workers answer with. */
  models?: Settings['models']
  /** Policies beside the presets, by name. */
  policies?: Record<string, Policy>
  /** Tenants whose policies may be weaker than the hold. */
  marked?: string[]
  /** What becomes of a question whose thread is still busy with another. */
  threads?: Settings['threads']
  /** What the operator decides by the words of a question. */
  rules?: Settings['rules']
  /** What a tenant may spend a day, `*` for all that are not named. */
  dailyCents?: Record<string, number>
  retentionMs?: number
  /** The largest file that is taken in. */
  maxFileBytes?: number
  /** Where documents stand until and after they are indexed; the ingestors' too. */
  dataDir?: string
  log?: Log
  /** Another part of this process may have its metrics in the same place. */
  registry?: Registry
  /** Takes the passages of a removed document out of the index. */
  removePassages: RemovePassages
}
export type Gateway = { url: string; close(): Promise<void> }

const redisWithinMs = 5_000

const ownRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const settingsOf = ({
  lanes = ['main'],
  webOn = false,
  models,
  apiKeys,
  marked = [],
  threads = 'queue',
  rules = [],
  dailyCents = {},
  maxFileBytes = 100_000_000,
}: GatewayOptions): Settings => ({
  lanes,
  webOn,
  models: models ?? { label: 'offline', lines: [] },
  marked: apiKeys === undefined ? null : marked,
  threads,
  rules,
  dailyCents,
  maxFileBytes,
})

const openPorts = async (options: GatewayOptions, log: Log): Promise<GatewayPorts & { close(): Promise<void> }> => {
  const { redisUrl, retentionMs, removePassages } = options
  const settings = settingsOf(options)
  const stop = createStop(log, 5_000)
  const redis = connectFailFast(redisUrl)
  stop.add('Redis', () => redis.disconnect())
  try {
    await whenReady(redis, redisWithinMs)
  } catch (cause) {
    await stop.run()
    throw new EnvError(
      `Redis does not answer at ${redisUrl.replace(/\/\/[^@/]*@/, '//')}: start it, or set REDIS_URL to where it runs.`,
      { cause },
    )
  }
  const { registry = ownRegistry() } = options
  const store = counting(
    openRedisRunStore({ redis, ...(retentionMs !== undefined && { retentionMs }) }),
    createRunMetrics(registry),
  )
  stop.add('run store', () => store.close())
  const queue = openBullMqJobQueue({ connection: redis })
  stop.add('job queue', () => queue.close())
  const ingest = openIngestQueue(redis, settings.lanes[0] ?? 'main')
  stop.add('ingest queue', () => ingest.close())
  return {
    store,
    queue,
    redis,
    log,
    registry,
    removePassages,
    catalog: new RedisCatalog(redis),
    files: await openDocumentFiles(join(options.dataDir ?? '.data', 'documents')),
    ingest,
    policies: policyBook(options.policies ?? {}),
    spending: openSpending(redis),
    settings,
    close: () => stop.run(),
  }
}

const listen = async (app: NestFastifyApplication, host: string, port: number): Promise<string> => {
  try {
    await app.listen(port, host)
  } catch (cause) {
    const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    throw taken
      ? new EnvError(`Port ${port} on ${host} is taken: stop what listens there, or set PORT to a free one.`, { cause })
      : cause
  }
  const address = app.getHttpServer().address()
  const at = typeof address === 'object' && address ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${at}`
}

/** The gateway in this process, listening. */
export const createGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { host = '127.0.0.1', port = 3_000, log = silent } = options
  const keys = keysFor(host, options.apiKeys)
  const { close: closePorts, ...ports } = await openPorts(options, log)
  const stop = createStop(log, 10_000)
  stop.add('ports', closePorts)
  try {
    const app = await NestFactory.create<NestFastifyApplication>(
      GatewayModule.with(ports),
      await openServer(keys, ports.settings.maxFileBytes),
      {
        logger: false,
        bodyParser: false,
        abortOnError: false,
      },
    )
    stop.add('server', () => app.close())
    const url = await listen(app, host, port)
    log.info({ url, mode: keys ? 'keys' : 'local' }, 'gateway listens')
    return { url, close: () => stop.run() }
  } catch (error) {
    await stop.run()
    throw error
  }
}
