import type { RedisClient } from './client'

/**
 * All Redis keys. The hash tag in braces puts the keys of one run in one cluster slot, so that one script can use all
 * of them.
 */
export const keys = {
  /** The version of the stored data format. */
  shape: 'plumbline:shape',
  /** Whether a migration into this Redis is complete. Never expires. */
  moved: 'plumbline:moved',
  /** All lanes that a gateway or worker was started with. */
  lanes: 'plumbline:lanes',

  state: (runId: string) => `run:{${runId}}:state`,
  ledger: (runId: string) => `run:{${runId}}:ledger`,
  draft: (runId: string) => `run:{${runId}}:draft`,
  evidence: (runId: string) => `run:{${runId}}:evidence`,
  feedback: (runId: string) => `run:{${runId}}:feedback`,
  /** A tenant's runs with feedback, by time. */
  feedbackOf: (tenant: string) => `feedback:{${tenant}}`,
  lease: (runId: string) => `review:{${runId}}:lease`,
  usage: (runId: string) => `run:{${runId}}:usage`,
  spent: (tenant: string, day: string) => `usage:{${tenant}}:${day}`,
  /** The times when undoable decisions take effect. */
  decisions: 'runs:decisions',
  open: (lane: string) => `runs:open:${lane}`,
  tenant: (tenant: string) => `runs:tenant:${tenant}`,
  /** The tenants' turns in a lane. The key is in the cluster slot of the lane's queues. */
  turns: (lane: string) => `turns:{${lane}}`,
  /** The last run of a thread. */
  thread: (tenant: string, thread: string) => `thread:{${tenant}}:${thread}`,
  /** A thread's runs, then its id and title, then the tenant's threads by the time of their last question. */
  threadRuns: (tenant: string, thread: string) => `thread-runs:{${tenant}}:${thread}`,
  threadAbout: (tenant: string, thread: string) => `thread-about:{${tenant}}:${thread}`,
  threads: (tenant: string) => `threads:{${tenant}}`,
  /** The desk of a tenant: rows, counts by group, one sorted set per order, and runs with an undoable decision. */
  parked: (
    tenant: string,
    part: 'rows' | 'groups' | 'deadline' | 'age' | 'risk' | 'decisions' | 'texts' | 'vocabulary' | 'taken',
  ) => `runs:parked:{${tenant}}:${part}`,
  /** The set of parked runs whose text contains this word. With an empty word, the prefix of these keys. */
  parkedWord: (tenant: string, word: string) => `runs:parked:{${tenant}}:word:${word}`,

  /** A tenant's review rules and webhooks. */
  rules: (tenant: string) => `rules:{${tenant}}`,
  webhooks: (tenant: string) => `webhooks:{${tenant}}:settings`,
  /** A webhook delivery, then a tenant's deliveries, then the due times of unfinished deliveries. */
  delivery: (id: string) => `webhook:{${id}}:delivery`,
  deliveries: (tenant: string) => `webhooks:{${tenant}}:deliveries`,
  deliveriesOpen: 'webhooks:open',
  /** Runs and documents with possible webhook events, by due time. */
  notices: 'webhooks:notices',
  /** Due times of decided runs, until they have ended. */
  decided: 'runs:decided',
  case: (tenant: string, id: string) => `case:{${tenant}}:${id}`,
  /** A tenant's cases by decision time, and their list rows. */
  cases: (tenant: string) => `cases:{${tenant}}:list`,
  caseRows: (tenant: string) => `cases:{${tenant}}:rows`,
  /** A tenant's flagged answers, then the ids with one status by time. */
  flags: (tenant: string) => `flags:{${tenant}}:rows`,
  flagsBy: (tenant: string, status: 'open' | 'fixed') => `flags:{${tenant}}:${status}`,

  /**
   * API keys of all tenants, in one slot, because a key is looked up before its tenant is known. Revoked keys remain
   * for at least 90 days. Changes are published on the channel `rows`.
   */
  apiKeys: (part: 'by-hash' | 'rows' | 'used' | 'salt') => `api-keys:{all}:${part}`,
  apiKeysOf: (tenant: string) => `api-keys:{all}:tenant:${tenant}`,

  /** A tenant's audit log, then its two ends, then begun actions that are not in the log yet. The ends never expire. */
  audit: (tenant: string) => `audit:{${tenant}}:log`,
  auditEnds: (tenant: string) => `audit:{${tenant}}:ends`,
  auditBegun: (tenant: string) => `audit:{${tenant}}:begun`,
  /** When a quota of a tenant or key is full again; `unfinished`: the tenant's unfinished runs. */
  asks: (tenant: string, part: 'all' | 'unfinished' | `key:${string}` | 'reads' | `reads:${string}`) =>
    `asks:{${tenant}}:${part}`,

  /** Requests to one model of one provider in the last minute. */
  bucket: (name: string) => `bucket:{${name}}:minute`,

  /** Cached entries, and the expiry of each. */
  cached: (name: string) => `cache:{${name}}:entries`,
  cachedEnds: (name: string) => `cache:{${name}}:ends`,

  /** Event counts of the minute or hour that begins at `at`. All are in one slot, because one script writes both. */
  counted: (grain: 'minute' | 'hour', at: number) => `ops:{history}:${grain}:${at}`,
  abandoned: 'ops:{history}:abandoned',
  /** The last error of each model, then the tenants with recent runs. */
  modelFaults: 'ops:{history}:models:faults',
  tenantsSeen: 'ops:{history}:tenants:seen',
  process: (id: string) => `ops:process:${id}`,
  processes: 'ops:processes',
  pageSession: (hash: string) => `ops:session:${hash}`,

  document: (id: string) => `catalog:{${id}}:document`,
  /**
   * The number of the newest source run that added or removed the document. Expires when no older run can be in
   * progress.
   */
  documentRun: (id: string) => `catalog:{${id}}:run`,
  /** Due times of unfinished documents. */
  documentsOpen: 'documents:open',
  /** A tenant's unfinished documents. */
  waiting: (tenant: string) => `catalog:{${tenant}}:waiting`,
  /** The change count of each collection, then the embedder of its vectors. */
  changes: (tenant: string) => `catalog:{${tenant}}:changes`,
  embedders: (tenant: string) => `catalog:{${tenant}}:embedders`,
  collections: (tenant: string) => `catalog:{${tenant}}:collections`,
  documents: (tenant: string) => `catalog:{${tenant}}:documents`,
  documentsOf: (tenant: string, collection: string) => `catalog:{${tenant}}:documents:${collection}`,
  headings: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}`,
  /** The number of documents with each title. */
  titles: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}:titles`,
  /** The access tags of tagged documents. */
  tagged: (tenant: string, collection: string) => `catalog:{${tenant}}:tagged:${collection}`,

  /** A tenant's sources by name, then per source: its runs, its lease, its documents by path. */
  sources: (tenant: string) => `sources:{${tenant}}:settings`,
  sourceState: (tenant: string, name: string) => `sources:{${tenant}}:state:${name}`,
  sourceLease: (tenant: string, name: string) => `sources:{${tenant}}:lease:${name}`,
  sourceDocuments: (tenant: string, name: string) => `sources:{${tenant}}:documents:${name}`,
  /** Due times of sources that are scheduled, requested or running. */
  sourcesDue: 'sources:due',

  /** A batch, its lines, then a tenant's batches, then those that have not ended. */
  batch: (tenant: string, id: string) => `batches:{${tenant}}:batch:${id}`,
  batchLines: (tenant: string, lines: string) => `batches:{${tenant}}:lines:${lines}`,
  batches: (tenant: string) => `batches:{${tenant}}:list`,
  batchesOpen: (tenant: string) => `batches:{${tenant}}:open`,
  /** A tenant's lines in progress, then its parked lines by due time, then the earliest time of the next line. */
  batchRunning: (tenant: string) => `batches:{${tenant}}:running`,
  batchParked: (tenant: string) => `batches:{${tenant}}:parked`,
  batchPace: (tenant: string) => `batches:{${tenant}}:pace`,
  /** Due times of tenants with a batch in progress. */
  batchesDue: 'batches:due',

  /** A schedule, then the list of a tenant's schedules. They never expire. */
  schedule: (tenant: string, id: string) => `schedules:{${tenant}}:one:${id}`,
  schedules: (tenant: string) => `schedules:{${tenant}}:list`,
  /** Due times of schedules. */
  schedulesDue: 'schedules:due',
}
/** Channels of all processes. Any other channel has the name of the key whose change it announces. */
export const closedChannel = 'tasks:closed'
export const keptTracesChannel = 'traces:kept'

/** Increase this version with every incompatible change of stored data, and add a migration to the new format. */
const shape = '1'

/** Throws if another version of Plumbline filled this Redis. Call it before any other read or write. */
export const checkStoreShape = async (redis: RedisClient): Promise<void> => {
  const held = await redis.get(keys.shape)
  if (held === shape) return
  const filled = await Promise.all(
    [keys.documentsOpen, keys.tenant('default'), keys.collections('default')].map((key) => redis.exists(key)),
  )
  if (held !== null || filled.some((count) => count > 0))
    throw new Error(
      `This Redis holds the data of another version of Plumbline (${held === null ? 'an unreleased one' : `shape ${held}`}; this one reads shape ${shape}). ` +
        `Start that version again, or give this one a Redis of its own: another REDIS_URL, or under npm start another DATA_DIR. ` +
        `Documents have to be ingested there again.`,
    )
  await redis.set(keys.shape, shape, 'NX')
}

/**
 * Records the lanes of this process, so that a lane whose process is no longer configured can be found. Ignores a full
 * Redis, so that the process still starts.
 */
export const noteLanes = async (redis: RedisClient, lanes: readonly string[]): Promise<void> =>
  void (await redis.sadd(keys.lanes, ...lanes).catch(() => undefined))
