import type { RedisClient } from './client'

/**
 * The names of all Redis keys. Because of the hash tag in braces, all keys of a run are in one cluster slot. One script
 * can therefore use all of them.
 */
export const keys = {
  /** The version of the stored data format. */
  shape: 'plumbline:shape',
  /** Whether a migration into this Redis is complete. Never expires. */
  moved: 'plumbline:moved',
  /** The lanes of all gateways and workers that were ever started. */
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
  /** `reserved`: the estimated costs of a tenant's runs in progress. `reservedUntil`: the deadlines of these runs. */
  reserved: (tenant: string) => `usage:{${tenant}}:reserved`,
  reservedUntil: (tenant: string) => `usage:{${tenant}}:reserved-until`,
  /** The times at which undoable decisions take effect. */
  decisions: 'runs:decisions',
  open: (lane: string) => `runs:open:${lane}`,
  tenant: (tenant: string) => `runs:tenant:${tenant}`,
  /** The order of tenants in a lane. This key is in the same cluster slot as the lane's queues. */
  turns: (lane: string) => `turns:{${lane}}`,
  /** The last run of a thread. */
  thread: (tenant: string, thread: string) => `thread:{${tenant}}:${thread}`,
  /**
   * `threadRuns`: the runs of a thread. `threadAbout`: its id and title. `threads`: a tenant's threads by the time of
   * the last question.
   */
  threadRuns: (tenant: string, thread: string) => `thread-runs:{${tenant}}:${thread}`,
  threadAbout: (tenant: string, thread: string) => `thread-about:{${tenant}}:${thread}`,
  threads: (tenant: string) => `threads:{${tenant}}`,
  /**
   * The lists of a tenant's desk: rows, counts by group, one sorted set per order, and runs with an undoable decision.
   */
  parked: (
    tenant: string,
    part: 'rows' | 'groups' | 'deadline' | 'age' | 'risk' | 'decisions' | 'texts' | 'vocabulary' | 'taken',
  ) => `runs:parked:{${tenant}}:${part}`,
  /** The set of parked runs whose text contains this word. An empty word gives the prefix of all these keys. */
  parkedWord: (tenant: string, word: string) => `runs:parked:{${tenant}}:word:${word}`,

  /** `rules`: a tenant's review rules. `webhooks`: its webhooks. */
  rules: (tenant: string) => `rules:{${tenant}}`,
  webhooks: (tenant: string) => `webhooks:{${tenant}}:settings`,
  /**
   * `delivery`: one webhook delivery. `deliveries`: a tenant's webhook deliveries. `deliveriesOpen`: the due times of
   * unfinished deliveries.
   */
  delivery: (id: string) => `webhook:{${id}}:delivery`,
  deliveries: (tenant: string) => `webhooks:{${tenant}}:deliveries`,
  deliveriesOpen: 'webhooks:open',
  /** Runs and documents with possible webhook events, by due time. */
  notices: 'webhooks:notices',
  /** The due times of decided runs that have not ended yet. */
  decided: 'runs:decided',
  case: (tenant: string, id: string) => `case:{${tenant}}:${id}`,
  /** `cases`: a tenant's cases by decision time. `caseRows`: their list rows. */
  cases: (tenant: string) => `cases:{${tenant}}:list`,
  caseRows: (tenant: string) => `cases:{${tenant}}:rows`,
  /** `flags`: a tenant's flagged answers. `flagsBy`: the ids of the flags with one status, ordered by time. */
  flags: (tenant: string) => `flags:{${tenant}}:rows`,
  flagsBy: (tenant: string, status: 'open' | 'fixed') => `flags:{${tenant}}:${status}`,

  /**
   * The API keys of all tenants. These keys share one cluster slot, because an API key is looked up before its tenant
   * is known. Revoked API keys remain for at least 90 days. Changes are published on the channel `rows`.
   */
  apiKeys: (part: 'by-hash' | 'rows' | 'used' | 'salt') => `api-keys:{all}:${part}`,
  apiKeysOf: (tenant: string) => `api-keys:{all}:tenant:${tenant}`,

  /**
   * `audit`: a tenant's audit log. `auditEnds`: the start and end of the log; never expires. `auditBegun`: unlogged
   * actions.
   */
  audit: (tenant: string) => `audit:{${tenant}}:log`,
  auditEnds: (tenant: string) => `audit:{${tenant}}:ends`,
  auditBegun: (tenant: string) => `audit:{${tenant}}:begun`,
  /**
   * The time when a quota of a tenant or key is full again. The part `unfinished` contains the tenant's unfinished
   * runs.
   */
  asks: (tenant: string, part: 'all' | 'unfinished' | `key:${string}` | 'reads' | `reads:${string}`) =>
    `asks:{${tenant}}:${part}`,

  /** The requests to one model of one provider in the last minute. */
  bucket: (name: string) => `bucket:{${name}}:minute`,

  /** `cached`: the entries of a cache. `cachedEnds`: the expiry of each entry. */
  cached: (name: string) => `cache:{${name}}:entries`,
  cachedEnds: (name: string) => `cache:{${name}}:ends`,

  /**
   * The counts of the minute or hour that begins at `at`. All of these keys share a slot, as one script writes several.
   */
  counted: (grain: 'minute' | 'hour', at: number) => `ops:{history}:${grain}:${at}`,
  abandoned: 'ops:{history}:abandoned',
  /** `modelFaults`: the last error of each model. `tenantsSeen`: the tenants with recent runs. */
  modelFaults: 'ops:{history}:models:faults',
  tenantsSeen: 'ops:{history}:tenants:seen',
  process: (id: string) => `ops:process:${id}`,
  processes: 'ops:processes',
  pageSession: (hash: string) => `ops:session:${hash}`,

  document: (id: string) => `catalog:{${id}}:document`,
  /**
   * The number of the newest source run that added or removed the document. Expires once no earlier run can still be in
   * progress.
   */
  documentRun: (id: string) => `catalog:{${id}}:run`,
  /** The due times of unfinished documents. */
  documentsOpen: 'documents:open',
  /** A tenant's unfinished documents. */
  waiting: (tenant: string) => `catalog:{${tenant}}:waiting`,
  /** `changes`: the change count of each collection. `embedders`: the embedder of each collection's vectors. */
  changes: (tenant: string) => `catalog:{${tenant}}:changes`,
  embedders: (tenant: string) => `catalog:{${tenant}}:embedders`,
  collections: (tenant: string) => `catalog:{${tenant}}:collections`,
  documents: (tenant: string) => `catalog:{${tenant}}:documents`,
  documentsOf: (tenant: string, collection: string) => `catalog:{${tenant}}:documents:${collection}`,
  headings: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}`,
  /** The number of documents with each title. */
  titles: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}:titles`,
  /** The access tags of each document that has tags. */
  tagged: (tenant: string, collection: string) => `catalog:{${tenant}}:tagged:${collection}`,

  /**
   * `sources`: a tenant's sources by name. The other three keys of a source: its runs, its lease, and its documents by
   * path.
   */
  sources: (tenant: string) => `sources:{${tenant}}:settings`,
  sourceState: (tenant: string, name: string) => `sources:{${tenant}}:state:${name}`,
  sourceLease: (tenant: string, name: string) => `sources:{${tenant}}:lease:${name}`,
  sourceDocuments: (tenant: string, name: string) => `sources:{${tenant}}:documents:${name}`,
  /** The due times of sources that are scheduled, requested or running. */
  sourcesDue: 'sources:due',

  /**
   * `batch`, `batchLines`: a batch and its lines. `batches`: a tenant's batches. `batchesOpen`: a tenant's unfinished
   * batches.
   */
  batch: (tenant: string, id: string) => `batches:{${tenant}}:batch:${id}`,
  batchLines: (tenant: string, lines: string) => `batches:{${tenant}}:lines:${lines}`,
  batches: (tenant: string) => `batches:{${tenant}}:list`,
  batchesOpen: (tenant: string) => `batches:{${tenant}}:open`,
  /**
   * A tenant's batch lines: those in progress, the parked lines by due time, and the earliest time of the next line.
   */
  batchRunning: (tenant: string) => `batches:{${tenant}}:running`,
  batchParked: (tenant: string) => `batches:{${tenant}}:parked`,
  batchPace: (tenant: string) => `batches:{${tenant}}:pace`,
  /** The due times of tenants with a batch in progress. */
  batchesDue: 'batches:due',

  /** `schedule`: one schedule. `schedules`: the list of a tenant's schedules. Neither key ever expires. */
  schedule: (tenant: string, id: string) => `schedules:{${tenant}}:one:${id}`,
  schedules: (tenant: string) => `schedules:{${tenant}}:list`,
  /** The due times of schedules. */
  schedulesDue: 'schedules:due',
}
/** The channels that all processes use. The name of every other channel is the key whose changes it announces. */
export const closedTasksChannel = 'tasks:closed'
export const keptTracesChannel = 'traces:kept'

/** Increase this version with every incompatible change of stored data, and add a migration to the new format. */
const shape = '1'

/**
 * Throws if another version of Plumbline wrote the data in this Redis. Must be called before any other read or write.
 */
export const checkStoreShape = async (redis: RedisClient): Promise<void> => {
  const held = await redis.get(keys.shape)
  if (held === shape) return
  const filled = await Promise.all(
    [keys.documentsOpen, keys.tenant('default'), keys.collections('default')].map((key) => redis.exists(key)),
  )
  if (held !== null || filled.some((count) => count > 0))
    throw new Error(
      `This Redis contains the data of another version of Plumbline (${held === null ? 'an unreleased version' : `data format ${held}`}; this version reads data format ${shape}). ` +
        `Start that version again, or give this version its own Redis: set another REDIS_URL or, for npm start, another DATA_DIR. ` +
        `Documents must then be ingested again.`,
    )
  await redis.set(keys.shape, shape, 'NX')
}

/**
 * Records the lanes of this process. An inspection can then find a lane for which no process is configured any longer.
 * An error because Redis is full is ignored, so that the process still starts.
 */
export const recordLanes = async (redis: RedisClient, lanes: readonly string[]): Promise<void> =>
  void (await redis.sadd(keys.lanes, ...lanes).catch(() => undefined))
