import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { stageKeys } from '@plumbline/adapters/bullmq/queues'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { openApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import { openKeySalt } from '@plumbline/adapters/redis/api-keys/key-salt'
import { openAuditLog } from '@plumbline/adapters/redis/audit/audit-log'
import { openRedisCache } from '@plumbline/adapters/redis/caches/cache'
import { openPinnedAnswers } from '@plumbline/adapters/redis/caches/pinned-answers'
import { openFlags } from '@plumbline/adapters/redis/flags/flags'
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
import { openRules } from '@plumbline/adapters/redis/rules/rules'
import { openFeedback } from '@plumbline/adapters/redis/runs/feedback'
import { openLeases } from '@plumbline/adapters/redis/runs/leases'
import { openPendingDecisions } from '@plumbline/adapters/redis/runs/pending-decisions'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { openReviewers } from '@plumbline/adapters/redis/runs/reviewers'
import { openThreads } from '@plumbline/adapters/redis/runs/threads'
import { reportAlive } from '@plumbline/hosting/health/heartbeat'
import { recordHistory } from '@plumbline/hosting/health/history'
import { countMoves, createRunMetrics } from '@plumbline/hosting/health/metrics'
import { EnvError } from '@plumbline/platform/env'
import type { Log } from '@plumbline/platform/log'
import { redactRedisUrl } from '@plumbline/platform/redis-url'
import type { Stop } from '@plumbline/platform/stop'
import { shareKeptTraces } from '@plumbline/platform/tracing/open-tracing'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { Callers } from './http/authenticate'
import type { FixedKeys } from './http/fixed-keys'
import { followKeyIds } from './http/key-ids'
import { fixedKeys, openKeyLookup } from './http/key-lookup'
import type { ResolvedOptions } from './gateway-options'
import { policyBook } from './policies/policy-book'
import type {
  Common,
  DocumentPorts,
  KeyPorts,
  LimitPorts,
  OpsPorts,
  PassageSearch,
  ReviewPorts,
  RunPorts,
} from './ports'
import { recordingDecisions } from './reviews/follow-decisions'
import { type Settings, usualAsksPerMinute, usualReadsPerMinute } from './settings'
import { openHub } from './streams/hub'

const noPassages: PassageSearch = {
  search: () => Promise.resolve({ passages: [], degraded: [] }),
  ofDocument: () => Promise.resolve([]),
}
const noPages: PageDrawer = { draw: () => Promise.resolve(null) }

const redisWithinMs = 5_000
/** The longest wait for Redis while a question is counted toward its quotas. */
const askedWithinMs = 500

const ownRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const openRedis = async (redisUrl: string, lanes: string[], stop: Stop): Promise<RedisClient> => {
  const redis = connectFailFast(redisUrl)
  stop.add('Redis', () => redis.disconnect())
  await whenReady(redis, redisWithinMs).catch((cause: unknown) => {
    throw new EnvError(
      `Redis does not answer at ${redactRedisUrl(redisUrl)}: start it, or set REDIS_URL to the URL of a running Redis.`,
      { cause },
    )
  })
  await checkStoreShape(redis)
  await recordLanes(redis, lanes)
  stop.add('the stored traces', await shareKeptTraces(openKeptTraces(redis)))
  return redis
}

type Opening = { redis: RedisClient; options: ResolvedOptions; stop: Stop; log: Log }

const openKeys = async ({ redis, options, stop, log }: Opening, changed: Changes['apiKey']) => {
  const { host, oidc = null, auditDays } = options
  const fixed: FixedKeys | null = fixedKeys(options.apiKeys)
  if (fixed) {
    const { share: shareSalt } = openKeySalt(redis)
    stop.add('the check of key ids', await followKeyIds({ fixed, shareSalt, processes: openProcesses(redis), log }))
  }
  const apiKeys = openApiKeys(redis)
  const callers = await openKeyLookup({ host, fixed, oidc, store: apiKeys, onChange: changed })
  const keyPorts: KeyPorts = {
    apiKeys,
    fixedKeys: fixed?.of ?? (() => ({ all: 0, admins: 0 })),
    fixedKey: fixed?.named ?? (() => undefined),
    audit: openAuditLog(redis, auditDays),
  }
  return { callers, keyPorts, currentActor: fixed?.currentActor ?? ((actor: string) => actor) }
}
type Changes = ReturnType<typeof openChangeChannels>

const openOps = (redis: RedisClient): OpsPorts => ({
  history: openOpsHistory(redis),
  processes: openProcesses(redis),
  storeUsage: openStoreUsage(redis),
  deskLoad: openDeskLoad(redis),
})

/** Reports this process and its runs to the ops page. Returns the function to call after each change of a run. */
const reportOps = ({ history, processes }: OpsPorts, stop: Stop, log: Log) => {
  const recorder = recordHistory(history, log)
  stop.add('the ops history', () => recorder.stop())
  stop.add(
    'the heartbeat',
    reportAlive(processes, { app: 'gateway', slots: {}, active: () => 0, keyIds: 'salted' }, log),
  )
  return recorder.onMoved
}

const openDocuments = async (
  { redis, options, stop, log }: Opening,
  lane: string,
): Promise<Omit<DocumentPorts, 'documentHub'>> => {
  const files = await openDocumentFiles(join(options.dataDir, 'documents'), options.documents)
  stop.add('the document store', () => files.close())
  const ingest = openIngestQueue(redis, lane)
  stop.add('ingest queue', () => ingest.close())
  return {
    catalog: openCatalog(redis),
    files,
    ingest,
    removePassages: options.removePassages,
    passages: options.openSearch?.({ redis, log }) ?? noPassages,
    pages: options.pages ?? noPages,
  }
}

const settingsFor = (callers: Callers | null, { apiKeys, redisUrl, ...options }: ResolvedOptions): Settings =>
  callers
    ? { tenantAsksPerMinute: usualAsksPerMinute, tenantReadsPerMinute: usualReadsPerMinute, ...options }
    : { ...options, markedAnswers: null }

export type OpenedPorts = {
  redis: RedisClient
  callers: Callers | null
  common: Common
  runPorts: RunPorts
  reviewPorts: ReviewPorts
  documentPorts: DocumentPorts
  limitPorts: LimitPorts
  keyPorts: KeyPorts
  opsPorts: OpsPorts
}

/** Opens Redis, the stores and the queues. `stop` closes what was opened, also after a failure. */
export const openPorts = async (options: ResolvedOptions, stop: Stop, log: Log): Promise<OpenedPorts> => {
  const { retentionMs, registry = ownRegistry(), lanes } = options
  const redis = await openRedis(options.redisUrl, lanes, stop)
  const opening = { redis, options, stop, log }
  const changes = openChangeChannels(redis)
  stop.add('the change channels', () => changes.close())
  const { callers, keyPorts, currentActor } = await openKeys(opening, changes.apiKey)
  const documents = await openDocuments(opening, lanes[0] ?? 'main')
  const opsPorts = openOps(redis)
  const decided = openDueQueue(redis, 'decided')
  const store = countMoves(
    recordingDecisions(openRedisRunStore({ redis, ...(retentionMs !== undefined && { retentionMs }) }), decided),
    createRunMetrics(registry),
    reportOps(opsPorts, stop, log),
  )
  stop.add('run store', () => store.close())
  const queue = openBullMqJobQueue({ connection: redis })
  stop.add('job queue', () => queue.close())
  const hubOf = (subscribe: RunStore['subscribe']) => {
    const hub = openHub({ subscribe, onReconnect: (listener) => onReconnect(redis, listener), log })
    stop.add('the event listeners', () => hub.stop())
    return hub
  }
  return {
    redis,
    callers,
    common: { settings: settingsFor(callers, options), log, registry },
    runPorts: {
      store,
      queue,
      runHub: hubOf((id, onMove) => store.subscribe(id, onMove)),
      threads: openThreads(redis, retentionMs),
      feedback: openFeedback(redis),
      pinnedAnswers: openPinnedAnswers({ redis, cache: openRedisCache({ redis, log, patienceMs: 900 }) }),
      policies: policyBook(options.ownPolicies ?? {}, options.policies),
      rules: openRules(redis),
    },
    reviewPorts: {
      leases: openLeases(redis),
      pendingDecisions: openPendingDecisions(redis),
      decided,
      deskHub: hubOf(changes.desk),
      currentActor,
      flags: openFlags(redis),
      reviewers: openReviewers(redis),
    },
    documentPorts: { ...documents, documentHub: hubOf(changes.document) },
    limitPorts: {
      spending: openSpending(redis),
      fairShare: openFairShare({ redis, queueKeys: stageKeys }),
      askQuotas: openAskQuotas(redis, askedWithinMs),
    },
    keyPorts,
    opsPorts,
  }
}
