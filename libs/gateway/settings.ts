import type { DailyBudget, RunCost } from '@plumbline/adapters/redis/limits/spending'
import type { Allowed } from '@plumbline/adapters/fetching/target'
import type { SourceOptions } from '@plumbline/adapters/sources/options'
import type { WhenBusy } from '@plumbline/contracts'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import { openFilesLimit } from '@plumbline/platform/open-files'

/** Quotas by tenant. The entry `*` applies to all tenants without an entry. Without either, there is no limit. */
export type Quotas = {
  /** The weight of each tenant's jobs when tenants compete for the workers. The default is 1. */
  weights: Record<string, number>
  asksPerMinute: Record<string, number>
  /** The limit that applies to each key. */
  keyAsksPerMinute?: number
  readsPerMinute: Record<string, number>
  /** The limit that applies to each key. */
  keyReadsPerMinute?: number
  runsAtOnce: Record<string, number>
  /**
   * The longest acceptable wait in the queue. While a job has waited longer, new questions of tenants with waiting runs
   * are refused.
   */
  mostQueuedMs?: number
}

/**
 * The default limit of each tenant, except in local mode. The limit stops a runaway program. Teams that ask more than
 * 100 questions a second set a higher limit.
 */
export const usualAsksPerMinute = { '*': 6_000 }
/** The default limit of each tenant: ten reads per question. The web app needs far fewer reads to follow a run. */
export const usualReadsPerMinute = { '*': 60_000 }

/** The default estimate of a run's cost. A plain question costs less than half of it. */
export const usualRunCost: RunCost = { cents: 10, tokens: 20_000 }

export type Settings = {
  lanes: string[]
  webOn: boolean
  /** The models that write answers. `label` is stored with every run, and `lines` are shown in /readyz. */
  models: { label: string; lines: string[] }
  /** Tenants whose policies may release ungrounded drafts. In local mode the value is null, and every tenant may. */
  marked: string[] | null
  /** Tenants whose releases need the approval of two reviewers. `*` means all tenants. */
  fourEyes: string[]
  /**
   * The default for a question whose thread has a run in progress. The question waits, is refused, or replaces that
   * run.
   */
  threads: WhenBusy
  /** The operator's routing rules. */
  rules: readonly RoutingRule[]
  /** The daily budget of each tenant. The entry `*` applies to all tenants without an entry. */
  daily: DailyBudget
  /** The estimated cost of a run, until a run of its tenant has ended. */
  runCost: RunCost
  quotas: Quotas
  /** Whether Redis is a single node. Calls on the same connection are then executed in order. */
  singleConnection: boolean
  /** How long a request of an OpenAI or MCP client waits for the answer. */
  clientWaitSeconds: number
  /** The origins of web pages that may call the API from a browser. Empty allows none. */
  corsOrigins: readonly string[]
  /** The public URL of the web app. Links in answers begin with this URL. */
  publicUrl?: string
  /** Addresses and ranges of proxies whose X-Forwarded headers are trusted. Empty trusts none. */
  trustedProxies: readonly string[]
  /** The maximum size of an uploaded file. */
  maxFileBytes: number
  /** Private addresses to which webhooks may be sent. */
  allowed?: Allowed
  /** Returns the source settings of a tenant. */
  sourceOptions(tenant: string): SourceOptions
}

/**
 * Returns whether ungrounded drafts of a tenant must be held, whatever the policy says. True unless `marked` lists the
 * tenant. Always false in local mode, where `marked` is null.
 */
export const isHeld = ({ marked }: Pick<Settings, 'marked'>, tenant: string): boolean =>
  marked !== null && !marked.includes(tenant)

/** All limits of the gateway. A single tenant may use at most half of each limit on concurrency. */
export const bounds = {
  /**
   * `batchLines`: the maximum number of lines in a batch. `batchRuns`: how many lines of a tenant are in progress at
   * once, if its concurrent runs are not limited.
   */
  batchLines: 10_000,
  batchRuns: 8,
  inFlight: 2_000,
  uploads: 64,
  /** Concurrent searches of runs by fields other than status and time. Each search reads up to 500 runs. */
  runSearches: 16,
  streams: 12_000,
  waiting: 1_000,
  /** The maximum number of questions in this gateway that wait for their threads, and their longest wait. */
  threadAsks: 200,
  threadMs: 30_000,
  waitSeconds: 60,
  /** The maximum time to receive a request body. A file gets additional time according to its size. */
  sendMs: 30_000,
  /** The maximum number of pages being rendered or waiting to be rendered, and the longest time to render a page. */
  drawings: 16,
  drawMs: 30_000,
  heartbeatMs: 15_000,
  /**
   * How often a stream checks its key. Including the key cache, streams of a revoked key end in less than five seconds.
   */
  keyLookMs: 1_500,
  slowReaderMs: 10_000,
  /** How long open streams may continue after the gateway begins to stop. */
  farewellMs: 2_000,
  /** The maximum time of a passage search, including the embedding of the query. */
  searchMs: 20_000,
  leaseMs: 10 * 60_000,
  /**
   * The minimum time between a decision's effect and the deadline of its review. The time to undo is shortened if
   * needed.
   */
  beforeDueMs: 2_000,
  /** The maximum number of notes on one draft. */
  notes: 100,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstDueMs: 5_000,
  ledger: 2_000,
  /** The maximum number of runs, and of documents, that one page of the web app may follow. */
  watched: 50,
  /** The maximum number of runs in the view of a thread. The view shows the latest runs. */
  threadRuns: 50,
}

/**
 * Returns the limit on open streams. The limit is at most three quarters of the files that the system lets a process
 * open.
 */
export const mostStreams = (): number => Math.min(bounds.streams, Math.floor(openFilesLimit() * 0.75))
