import type { RedisClient } from './client'

/** The hash tag keeps the keys of one run in one slot of a cluster, so that one script may touch all of them. */
export const keys = {
  /** Which shape all that is stored here has. */
  shape: 'plumbline:shape',
  /** In a Redis that an installation was moved to: whether that is done. It stays. */
  moved: 'plumbline:moved',
  /** Every lane that a gateway or worker was started with. */
  lanes: 'plumbline:lanes',

  state: (runId: string) => `run:{${runId}}:state`,
  ledger: (runId: string) => `run:{${runId}}:ledger`,
  draft: (runId: string) => `run:{${runId}}:draft`,
  evidence: (runId: string) => `run:{${runId}}:evidence`,
  feedback: (runId: string) => `run:{${runId}}:feedback`,
  /** The runs of a tenant that something was said about, by when. */
  feedbackOf: (tenant: string) => `feedback:{${tenant}}`,
  lease: (runId: string) => `review:{${runId}}:lease`,
  usage: (runId: string) => `run:{${runId}}:usage`,
  spent: (tenant: string, day: string) => `usage:{${tenant}}:${day}`,
  /** When each decision counts that can still be taken back. */
  decisions: 'runs:decisions',
  open: (lane: string) => `runs:open:${lane}`,
  tenant: (tenant: string) => `runs:tenant:${tenant}`,
  /** In what order tenants take turns in a lane, in the slot of its queues. */
  turns: (lane: string) => `turns:{${lane}}`,
  /** The last run of a thread. */
  thread: (tenant: string, thread: string) => `thread:{${tenant}}:${thread}`,
  /** The runs of a thread as it lists them, its id and title, and the threads of a tenant by their last question. */
  threadRuns: (tenant: string, thread: string) => `thread-runs:{${tenant}}:${thread}`,
  threadAbout: (tenant: string, thread: string) => `thread-about:{${tenant}}:${thread}`,
  threads: (tenant: string) => `threads:{${tenant}}`,
  /** The desk's list of a tenant: rows, counts by group, an order each, and the runs with a decision that can be taken back. */
  parked: (tenant: string, part: 'rows' | 'groups' | 'deadline' | 'age' | 'risk' | 'decisions') =>
    `runs:parked:{${tenant}}:${part}`,

  /** What a tenant holds for its reviewers, and where it is told of what happens. */
  rules: (tenant: string) => `rules:{${tenant}}`,
  webhooks: (tenant: string) => `webhooks:{${tenant}}:settings`,
  /** What is sent to a webhook; those of a tenant; the next look at those that are not through. */
  delivery: (id: string) => `webhook:{${id}}:delivery`,
  deliveries: (tenant: string) => `webhooks:{${tenant}}:deliveries`,
  deliveriesOpen: 'webhooks:open',
  /** Runs and documents of which webhooks may have to be told, by when they are looked at. */
  notices: 'webhooks:notices',
  /** The next look at runs somebody decided about, until they have ended. */
  decided: 'runs:decided',
  case: (tenant: string, id: string) => `case:{${tenant}}:${id}`,
  /** The cases of a tenant by the time of their decision, and what a list shows of each. */
  cases: (tenant: string) => `cases:{${tenant}}:list`,
  caseRows: (tenant: string) => `cases:{${tenant}}:rows`,
  /** Flagged answers of a tenant, and those of one status by time. */
  flags: (tenant: string) => `flags:{${tenant}}:rows`,
  flagsBy: (tenant: string, status: 'open' | 'fixed') => `flags:{${tenant}}:${status}`,

  /** API keys of all tenants, in one slot, as a key is looked for before its tenant is known; they stay until they are long revoked. Also the channel of their changes. */
  apiKeys: (part: 'by-hash' | 'rows' | 'used' | 'salt') => `api-keys:{all}:${part}`,
  apiKeysOf: (tenant: string) => `api-keys:{all}:tenant:${tenant}`,

  /** A tenant's audit log, where it begins and ends, and what was begun and is not in it yet. The ends stay. */
  audit: (tenant: string) => `audit:{${tenant}}:log`,
  auditEnds: (tenant: string) => `audit:{${tenant}}:ends`,
  auditBegun: (tenant: string) => `audit:{${tenant}}:begun`,
  /** When a quota of a tenant, or of one of its keys, is whole again, and its runs that are not through. */
  asks: (tenant: string, part: 'all' | 'unfinished' | `key:${string}` | 'reads' | `reads:${string}`) =>
    `asks:{${tenant}}:${part}`,

  /** What was asked of one model at one provider in the last minute. */
  bucket: (name: string) => `bucket:{${name}}:minute`,

  /** What is remembered of answers of others, and when each entry ends. */
  cached: (name: string) => `cache:{${name}}:entries`,
  cachedEnds: (name: string) => `cache:{${name}}:ends`,

  /** What happened in the minute or hour that begins then; in one slot, as one script writes both. */
  counted: (grain: 'minute' | 'hour', at: number) => `ops:{history}:${grain}:${at}`,
  abandoned: 'ops:{history}:abandoned',
  process: (id: string) => `ops:process:${id}`,
  processes: 'ops:processes',
  pageSession: (hash: string) => `ops:session:${hash}`,

  document: (id: string) => `catalog:{${id}}:document`,
  /** The newest run of a source that brought or removed the document; kept for as long as an older one may still be at work. */
  documentRun: (id: string) => `catalog:{${id}}:run`,
  /** The next look at documents that are not through. */
  documentsOpen: 'documents:open',
  /** The documents of a tenant that are not through. */
  waiting: (tenant: string) => `catalog:{${tenant}}:waiting`,
  /** Per collection: how often it changed, and what made its vectors. */
  changes: (tenant: string) => `catalog:{${tenant}}:changes`,
  embedders: (tenant: string) => `catalog:{${tenant}}:embedders`,
  collections: (tenant: string) => `catalog:{${tenant}}:collections`,
  documents: (tenant: string) => `catalog:{${tenant}}:documents`,
  documentsOf: (tenant: string, collection: string) => `catalog:{${tenant}}:documents:${collection}`,
  headings: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}`,
  /** How many documents have each title. */
  titles: (tenant: string, collection: string) => `catalog:{${tenant}}:headings:${collection}:titles`,
  /** The access tags of those documents that have any. */
  tagged: (tenant: string, collection: string) => `catalog:{${tenant}}:tagged:${collection}`,

  /** The sources of a tenant by name; of each: its runs, who has it, and the documents it brought by path. */
  sources: (tenant: string) => `sources:{${tenant}}:settings`,
  sourceState: (tenant: string, name: string) => `sources:{${tenant}}:state:${name}`,
  sourceLease: (tenant: string, name: string) => `sources:{${tenant}}:lease:${name}`,
  sourceDocuments: (tenant: string, name: string) => `sources:{${tenant}}:documents:${name}`,
  /** The next look at each source that is scheduled, asked for or under way. */
  sourcesDue: 'sources:due',

  /** A batch and its lines; the batches of a tenant, and those of them that have not ended. */
  batch: (tenant: string, id: string) => `batches:{${tenant}}:batch:${id}`,
  batchLines: (tenant: string, lines: string) => `batches:{${tenant}}:lines:${lines}`,
  batches: (tenant: string) => `batches:{${tenant}}:list`,
  batchesOpen: (tenant: string) => `batches:{${tenant}}:open`,
  /** The lines of a tenant that are under way, those that are parked by their next look, and when its next line may be asked. */
  batchRunning: (tenant: string) => `batches:{${tenant}}:running`,
  batchParked: (tenant: string) => `batches:{${tenant}}:parked`,
  batchPace: (tenant: string) => `batches:{${tenant}}:pace`,
  /** The next look at each tenant that has a batch under way. */
  batchesDue: 'batches:due',

  /** A schedule, and those of a tenant; they stay until they are removed. */
  schedule: (tenant: string, id: string) => `schedules:{${tenant}}:one:${id}`,
  schedules: (tenant: string) => `schedules:{${tenant}}:list`,
  /** The next look at each schedule. */
  schedulesDue: 'schedules:due',
}
/** A channel has the name of the key whose change it tells: a run's ledger, a document, the desk's rows. Only these are told to every process. */
export const closedChannel = 'tasks:closed'
export const keptTracesChannel = 'traces:kept'

/** Raised with every change that makes what is stored unreadable; whoever raises it moves what is there to the new shape. */
const shape = '1'

/** Nothing is read from, or written to, a Redis that another version of this program filled. */
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

/** So that a lane is found again that no process is configured for any more. A Redis that is full refuses it, which keeps nobody from starting. */
export const noteLanes = async (redis: RedisClient, lanes: readonly string[]): Promise<void> =>
  void (await redis.sadd(keys.lanes, ...lanes).catch(() => undefined))
