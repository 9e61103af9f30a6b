import type { RedisClient } from './client'

/** The braces mark a Redis hash tag, so that a Redis Cluster stores all keys of a run in one slot. */
export const keys = {
  /** The version of the stored data format. */
  shape: 'plumbline:shape',
  moved: 'plumbline:moved',
  lanes: 'plumbline:lanes',

  state: (runId: string) => `run:{${runId}}:state`,
  ledger: (runId: string) => `run:{${runId}}:ledger`,
  draft: (runId: string) => `run:{${runId}}:draft`,
  evidence: (runId: string) => `run:{${runId}}:evidence`,
  feedback: (runId: string) => `run:{${runId}}:feedback`,
  feedbackOf: (tenant: string) => `feedback:{${tenant}}`,
  lease: (runId: string) => `review:{${runId}}:lease`,
  usage: (runId: string) => `run:{${runId}}:usage`,
  spent: (tenant: string, day: string) => `usage:{${tenant}}:${day}`,
  /** `reserved`: the estimated costs of a tenant's runs in progress. `reservedUntil`: the deadlines of these runs. */
  reserved: (tenant: string) => `usage:{${tenant}}:reserved`,
  reservedUntil: (tenant: string) => `usage:{${tenant}}:reserved-until`,
  decisions: 'runs:decisions',
  open: (lane: string) => `runs:open:${lane}`,
  tenant: (tenant: string) => `runs:tenant:${tenant}`,
  /** This key is in the same cluster slot as the lane's queues. */
  turns: (lane: string) => `turns:{${lane}}`,
  thread: (tenant: string, thread: string) => `thread:{${tenant}}:${thread}`,
  /** `threadAbout`: the id and title of a thread. `threads`: a tenant's threads, by the time of the last question. */
  threadRuns: (tenant: string, thread: string) => `thread-runs:{${tenant}}:${thread}`,
  threadAbout: (tenant: string, thread: string) => `thread-about:{${tenant}}:${thread}`,
  threads: (tenant: string) => `threads:{${tenant}}`,
  /**
   * These keys hold the desk list of a tenant, which is the list of runs that wait for a review. `decisions` contains
   * the runs whose decision can still be undone.
   */
  parked: (
    tenant: string,
    part: 'rows' | 'groups' | 'deadline' | 'age' | 'risk' | 'decisions' | 'texts' | 'vocabulary' | 'taken',
  ) => `runs:parked:{${tenant}}:${part}`,
  /**
   * `reviewers`: the available reviewers. `reservedReviews`: the drafts that are reserved for a reviewer until the desk
   * list (the list of drafts to review) shows the assignment.
   */
  reviewers: (tenant: string) => `runs:parked:{${tenant}}:reviewers`,
  reservedReviews: (tenant: string) => `runs:parked:{${tenant}}:reserved`,
  /** The tenants with available reviewers. The key has a prefix that existing Redis access lists already allow. */
  reviewersDue: 'runs:parked:{all}:reviewers-due',
  /** With an empty `word`, returns the common prefix of these keys. */
  parkedWord: (tenant: string, word: string) => `runs:parked:{${tenant}}:word:${word}`,

  rules: (tenant: string) => `rules:{${tenant}}`,
  webhooks: (tenant: string) => `webhooks:{${tenant}}:settings`,
  delivery: (id: string) => `webhook:{${id}}:delivery`,
  deliveries: (tenant: string) => `webhooks:{${tenant}}:deliveries`,
  deliveriesOpen: 'webhooks:open',
  notices: 'webhooks:notices',
  decided: 'runs:decided',
  case: (tenant: string, id: string) => `case:{${tenant}}:${id}`,
  cases: (tenant: string) => `cases:{${tenant}}:list`,
  caseRows: (tenant: string) => `cases:{${tenant}}:rows`,
  flags: (tenant: string) => `flags:{${tenant}}:rows`,
  /** The key begins with `flags:`, because existing Redis access lists already allow this prefix. */
  flagsDue: 'flags:{all}:due',
  flagsBy: (tenant: string, status: 'open' | 'fixed') => `flags:{${tenant}}:${status}`,

  /** All API keys are in one cluster slot, because a key is looked up before its tenant is known. */
  apiKeys: (part: 'by-hash' | 'rows' | 'used' | 'salt') => `api-keys:{all}:${part}`,
  apiKeysOf: (tenant: string) => `api-keys:{all}:tenant:${tenant}`,

  /** `auditEnds`: the hashes of the last removed entry (the anchor) and of the newest entry. This key never expires. */
  audit: (tenant: string) => `audit:{${tenant}}:log`,
  auditEnds: (tenant: string) => `audit:{${tenant}}:ends`,
  auditBegun: (tenant: string) => `audit:{${tenant}}:begun`,
  /** `unfinished` contains runs. Every other part is a quota, stored as the time when it is completely unused again. */
  asks: (tenant: string, part: 'all' | 'unfinished' | `key:${string}` | 'reads' | `reads:${string}`) =>
    `asks:{${tenant}}:${part}`,

  bucket: (name: string) => `bucket:{${name}}:minute`,

  cached: (name: string) => `cache:{${name}}:entries`,
  cachedEnds: (name: string) => `cache:{${name}}:ends`,

  /** The keys with `{history}` share a cluster slot, because one script writes several of them. */
  counted: (grain: 'minute' | 'hour', at: number) => `ops:{history}:${grain}:${at}`,
  abandoned: 'ops:{history}:abandoned',
  modelFaults: 'ops:{history}:models:faults',
  tenantsSeen: 'ops:{history}:tenants:seen',
  process: (id: string) => `ops:process:${id}`,
  processes: 'ops:processes',

  document: (id: string) => `catalog:{${id}}:document`,
  /** The number of the latest source run that changed the document. Expires when no earlier run can be in progress. */
  documentRun: (id: string) => `catalog:{${id}}:run`,
  documentsOpen: 'documents:open',
  waiting: (tenant: string) => `catalog:{${tenant}}:waiting`,
  changes: (tenant: string) => `catalog:{${tenant}}:changes`,
  embedders: (tenant: string) => `catalog:{${tenant}}:embedders`,
  collections: (tenant: string) => `catalog:{${tenant}}:collections`,
  documents: (tenant: string) => `catalog:{${tenant}}:documents`,
  documentsOf: (tenant: string, collection: string) => `catalog:{${tenant}}:documents:${collection}`,
  headings: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}`,
  titles: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}:titles`,
  tagged: (tenant: string, collection: string) => `catalog:{${tenant}}:tagged:${collection}`,

  sources: (tenant: string) => `sources:{${tenant}}:settings`,
  sourceState: (tenant: string, name: string) => `sources:{${tenant}}:state:${name}`,
  sourceLease: (tenant: string, name: string) => `sources:{${tenant}}:lease:${name}`,
  sourceDocuments: (tenant: string, name: string) => `sources:{${tenant}}:documents:${name}`,
  sourcesDue: 'sources:due',

  batch: (tenant: string, id: string) => `batches:{${tenant}}:batch:${id}`,
  batchLines: (tenant: string, lines: string) => `batches:{${tenant}}:lines:${lines}`,
  batches: (tenant: string) => `batches:{${tenant}}:list`,
  batchesOpen: (tenant: string) => `batches:{${tenant}}:open`,
  batchRunning: (tenant: string) => `batches:{${tenant}}:running`,
  batchParked: (tenant: string) => `batches:{${tenant}}:parked`,
  batchPace: (tenant: string) => `batches:{${tenant}}:pace`,
  batchesDue: 'batches:due',

  schedule: (tenant: string, id: string) => `schedules:{${tenant}}:one:${id}`,
  schedules: (tenant: string) => `schedules:{${tenant}}:list`,
  schedulesDue: 'schedules:due',
}
/** These channels have fixed names. Every other channel is named after the key whose changes it announces. */
export const closedTasksChannel = 'tasks:closed'
export const keptTracesChannel = 'traces:kept'

/** Increase this number with every incompatible change of stored data, and add a migration. */
const shape = '1'

/** Throws if Redis contains data in another format. Call this first, because other calls could damage such data. */
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

/** Stores the names of the lanes. Ignores errors, for example if Redis is full, so that the process still starts. */
export const recordLanes = async (redis: RedisClient, lanes: readonly string[]): Promise<void> =>
  void (await redis.sadd(keys.lanes, ...lanes).catch(() => undefined))
