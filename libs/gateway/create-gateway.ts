import 'reflect-metadata'
import { join } from 'node:path'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { openWebhookQueue } from '@plumbline/adapters/bullmq/webhook-queue'
import { stageKeys } from '@plumbline/adapters/bullmq/queues'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { openApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import { openKeySalt } from '@plumbline/adapters/redis/api-keys/key-salt'
import { openAuditLog } from '@plumbline/adapters/redis/audit/audit-log'
import { openRedisCache } from '@plumbline/adapters/redis/caches/cache'
import { openPinnedAnswers } from '@plumbline/adapters/redis/caches/pinned-answers'
import { openCases } from '@plumbline/adapters/redis/cases/cases'
import { openFlags } from '@plumbline/adapters/redis/cases/flags'
import { openChangeChannels } from '@plumbline/adapters/redis/client/channels'
import { connectFailFast, onReconnect, type RedisClient, whenReady } from '@plumbline/adapters/redis/client/client'
import { openDueQueue } from '@plumbline/adapters/redis/client/due-queue'
import { checkStoreShape, recordLanes } from '@plumbline/adapters/redis/client/keys'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openAskQuotas } from '@plumbline/adapters/redis/limits/ask-quotas'
import { openFairShare } from '@plumbline/adapters/redis/limits/fair-share'
import { openSpending } from '@plumbline/adapters/redis/limits/spending'
import { openDeskLoad } from '@plumbline/adapters/redis/ops/desk-load'
import { openOpsHistory } from '@plumbline/adapters/redis/ops/history'
import { openKeptTraces } from '@plumbline/adapters/redis/ops/kept-traces'
import { openProcesses } from '@plumbline/adapters/redis/ops/processes'
import { openStoreUsage } from '@plumbline/adapters/redis/ops/store-usage'
import { openLeases } from '@plumbline/adapters/redis/runs/leases'
import { openPendingDecisions } from '@plumbline/adapters/redis/runs/pending-decisions'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { openThreads } from '@plumbline/adapters/redis/runs/threads'
import { openSources } from '@plumbline/adapters/redis/sources/sources'
import type { OnMoved } from '@plumbline/hosting/health/count-moves'
import { recordHistory } from '@plumbline/hosting/health/history'
import { counting, createRunMetrics } from '@plumbline/hosting/health/metrics'
import { reportAlive } from '@plumbline/hosting/health/heartbeat'
import { EnvError } from '@plumbline/platform/env'
import { silent, type Log } from '@plumbline/platform/log'
import { redactRedisUrl } from '@plumbline/platform/redis-url'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { createStop, type Stop } from '@plumbline/platform/stop'
import { shareKeptTraces } from '@plumbline/platform/tracing/open-tracing'
import { auditRoutes } from './audit/audited'
import { recordingDecisions } from './cases/on-decision'
import type { Callers } from './http/authenticate'
import { fixedKeys, openKeyLookup } from './http/key-lookup'
import type { FixedKeys } from './http/fixed-keys'
import { followKeyIds } from './http/key-ids'
import { measureRequests } from './http/measure'
import { openServer } from './http/server'
import { GatewayModule } from './gateway.module'
import { type GatewayOptions, settingsOf } from './gateway-options'
import { policyBook } from './policies/policy-book'
import type { GatewayPorts, PassageSearch } from './ports'
import { mostStreams, usualAsksPerMinute, usualReadsPerMinute, type Settings } from './settings'
import { openHub } from './streams/hub'
import { tenantPorts } from './tenant-ports'

export type Gateway = { url: string; close(): Promise<void> }

const noPassages: PassageSearch = {
  search: () => Promise.resolve({ passages: [], degraded: [] }),
  ofDocument: () => Promise.resolve([]),
}

const noPages: PageDrawer = { draw: () => Promise.resolve(null) }

const redisWithinMs = 5_000
/** The longest wait for Redis while a question is counted against its quotas. */
const askedWithinMs = 500

const ownRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const learningPorts = (redis: RedisClient, { casesDays = 0 }: GatewayOptions, log: Log) => ({
  cases: openCases(redis, casesDays),
  flags: openFlags(redis),
  pinnedAnswers: openPinnedAnswers({ redis, cache: openRedisCache({ redis, log, patienceMs: 900 }) }),
})

type OpsPorts = Pick<GatewayPorts, 'history' | 'deskLoad' | 'processes' | 'storeUsage'>

const openOpsPorts = (redis: RedisClient, stop: Stop, log: Log): OpsPorts & { onMoved: OnMoved } => {
  const history = openOpsHistory(redis)
  const recorder = recordHistory(history, log)
  stop.add('the history', () => recorder.stop())
  const processes = openProcesses(redis)
  stop.add(
    'the heartbeat',
    reportAlive(processes, { app: 'gateway', slots: {}, active: () => 0, keyIds: 'salted' }, log),
  )
  return {
    history,
    processes,
    storeUsage: openStoreUsage(redis),
    deskLoad: openDeskLoad(redis),
    onMoved: recorder.onMoved,
  }
}

const openRedis = async (redisUrl: string, lanes: string[], stop: Stop): Promise<RedisClient> => {
  const redis = connectFailFast(redisUrl)
  stop.add('Redis', () => redis.disconnect())
  try {
    await whenReady(redis, redisWithinMs).catch((cause: unknown) => {
      throw new EnvError(
        `Redis does not answer at ${redactRedisUrl(redisUrl)}: start it, or set REDIS_URL to the URL of a running Redis.`,
        { cause },
      )
    })
    await checkStoreShape(redis)
    await recordLanes(redis, lanes)
  } catch (error) {
    await stop.run()
    throw error
  }
  return redis
}

const openQueues = (redis: RedisClient, [lane = 'main']: string[], stop: Stop) => {
  const queue = openBullMqJobQueue({ connection: redis })
  stop.add('job queue', () => queue.close())
  const ingest = openIngestQueue(redis, lane)
  stop.add('ingest queue', () => ingest.close())
  const webhookQueue = openWebhookQueue(redis, lane)
  stop.add('webhook queue', () => webhookQueue.close())
  return { queue, ingest, webhookQueue }
}

const openWaysIn = async (redis: RedisClient, fixed: FixedKeys | null, options: GatewayOptions, changes: Changes) => {
  const { host = '127.0.0.1', oidc = null, auditDays = 365 } = options
  const apiKeys = openApiKeys(redis)
  const callers = await openKeyLookup({ host, fixed, oidc, store: apiKeys, onChange: changes.apiKey })
  return {
    callers,
    apiKeys,
    fixedKeys: fixed?.of ?? (() => ({ all: 0, admins: 0 })),
    fixedKey: fixed?.named ?? (() => undefined),
    currentActor: fixed?.currentActor ?? ((actor: string) => actor),
    audit: openAuditLog(redis, auditDays),
  }
}
type Changes = ReturnType<typeof openChangeChannels>

type OpenedPorts = { ports: GatewayPorts; callers: Callers | null; close(): Promise<void> }

const openPorts = async (options: GatewayOptions, fixed: FixedKeys | null, log: Log): Promise<OpenedPorts> => {
  const { redisUrl } = options
  const stop = createStop(log, 5_000)
  const chosen = settingsOf(options)
  const redis = await openRedis(redisUrl, chosen.lanes, stop)
  try {
    const changes = openChangeChannels(redis)
    stop.add('the change channels', () => changes.close())
    stop.add('the kept traces', await shareKeptTraces(openKeptTraces(redis)))
    if (fixed) {
      const { share: shareSalt } = openKeySalt(redis)
      stop.add('the key ids', await followKeyIds({ fixed, shareSalt, processes: openProcesses(redis), log }))
    }
    const { callers, ...waysIn } = await openWaysIn(redis, fixed, options, changes)
    const settings = callers
      ? settingsOf({ asksPerMinute: usualAsksPerMinute, readsPerMinute: usualReadsPerMinute, ...options })
      : { ...chosen, marked: null }
    const ports = await openStores(redis, { options, settings, changes, stop, log })
    return { ports: { ...ports, ...waysIn }, callers, close: () => stop.run() }
  } catch (error) {
    await stop.run()
    throw error
  }
}

type Opening = {
  options: GatewayOptions
  settings: Settings
  changes: Changes
  stop: Stop
  log: Log
}
const openStores = async (
  redis: RedisClient,
  { options, settings, changes, stop, log }: Opening,
): Promise<Omit<GatewayPorts, 'apiKeys' | 'fixedKeys' | 'fixedKey' | 'currentActor' | 'audit'>> => {
  const { retentionMs, removePassages, registry = ownRegistry() } = options
  const files = await openDocumentFiles(join(options.dataDir ?? '.data', 'documents'), options.documents)
  stop.add('documents', () => files.close())
  const ops = openOpsPorts(redis, stop, log)
  const decided = openDueQueue(redis, 'decided')
  const store = counting(
    recordingDecisions(openRedisRunStore({ redis, ...(retentionMs !== undefined && { retentionMs }) }), decided),
    createRunMetrics(registry),
    ops.onMoved,
  )
  stop.add('run store', () => store.close())
  const queues = openQueues(redis, settings.lanes, stop)
  const hubOf = (subscribe: RunStore['subscribe']) => {
    const hub = openHub({ subscribe, onReconnect: (listener) => onReconnect(redis, listener), log })
    stop.add('listeners', () => hub.stop())
    return hub
  }
  const { onMoved: _, ...watched } = ops
  return {
    ...watched,
    ...queues,
    store,
    runHub: hubOf((id, onMove) => store.subscribe(id, onMove)),
    documentHub: hubOf(changes.document),
    deskHub: hubOf(changes.desk),
    threads: openThreads(redis, retentionMs),
    leases: openLeases(redis),
    pendingDecisions: openPendingDecisions(redis),
    ...learningPorts(redis, options, log),
    decided,
    log,
    registry,
    removePassages,
    passages: options.openSearch?.({ redis, log }) ?? noPassages,
    pages: options.pages ?? noPages,
    catalog: openCatalog(redis),
    sources: openSources(redis),
    files,
    policies: policyBook(options.policies ?? {}, options.offeredPolicies),
    spending: openSpending(redis),
    fairShare: openFairShare({ redis, queueKeys: stageKeys }),
    askQuotas: openAskQuotas(redis, askedWithinMs),
    ...tenantPorts(redis, retentionMs),
    settings,
  }
}

const listen = async (app: NestFastifyApplication, host: string, port: number): Promise<string> => {
  try {
    await app.listen(port, host)
  } catch (cause) {
    const taken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    throw taken
      ? new EnvError(
          `Port ${port} on ${host} is taken: stop the process that listens there, or set PORT to a free port.`,
          { cause },
        )
      : cause
  }
  const address = app.getHttpServer().address()
  const at = typeof address === 'object' && address ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${at}`
}

export const createGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const { host = '127.0.0.1', port = 3_000, log = silent } = options
  const { ports, callers, close: closePorts } = await openPorts(options, fixedKeys(options.apiKeys), log)
  const stop = createStop(log, 10_000)
  stop.add('ports', closePorts)
  try {
    const server = await openServer(callers, ports.settings)
    const fastify = server.getInstance() as unknown as FastifyInstance
    auditRoutes(fastify, ports.audit, log)
    measureRequests(fastify, ports.registry)
    const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.with(ports), server, {
      logger: false,
      bodyParser: false,
      abortOnError: false,
    })
    stop.add('server', () => app.close())
    const url = await listen(app, host, port)
    log.info({ url, mode: callers ? 'keys' : 'local', streams: mostStreams() }, 'gateway is listening')
    return { url, close: () => stop.run() }
  } catch (error) {
    await stop.run()
    throw error
  }
}
