import type { DailyBudget, RunCost } from '@plumbline/adapters/redis/limits/spending'
import type { Allowed } from '@plumbline/adapters/fetching/target'
import type { SourceOptions } from '@plumbline/adapters/sources/options'
import type { WhenBusy } from '@plumbline/contracts'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import { openFilesLimit } from '@plumbline/platform/open-files'

/** The entry `*` applies to all tenants without an entry. Without either, there is no limit. */
export type Quotas = {
  /** Used when tenants compete for the workers. The default is 1. */
  weights: Record<string, number>
  asksPerMinute: Record<string, number>
  keyAsksPerMinute?: number
  readsPerMinute: Record<string, number>
  keyReadsPerMinute?: number
  runsAtOnce: Record<string, number>
  mostQueuedMs?: number
}

/** Stops a runaway program. Does not apply in local mode. */
export const usualAsksPerMinute = { '*': 6_000 }
/** Ten reads per question. The web app needs far fewer reads to follow a run. */
export const usualReadsPerMinute = { '*': 60_000 }

/** The estimated cost of a run until the first run of its tenant has ended. */
export const usualRunCost: RunCost = { cents: 10, tokens: 20_000 }

export type Settings = {
  lanes: string[]
  webOn: boolean
  /** `label` is stored with every run, and `lines` are shown in /readyz. */
  models: { label: string; lines: string[] }
  /** Null in local mode, where every tenant may release ungrounded drafts. */
  marked: string[] | null
  /** `*` means all tenants. */
  fourEyes: string[]
  threads: WhenBusy
  rules: readonly RoutingRule[]
  /** The entry `*` applies to all tenants without an entry. */
  daily: DailyBudget
  runCost: RunCost
  quotas: Quotas
  /** Calls on the same connection to a single Redis node are executed in order. */
  singleConnection: boolean
  clientWaitSeconds: number
  /** If the list is empty, no origin is allowed. */
  corsOrigins: readonly string[]
  publicUrl?: string
  /** If the list is empty, no proxy is trusted. */
  trustedProxies: readonly string[]
  maxFileBytes: number
  /** Private addresses to which webhooks may be sent. */
  allowed?: Allowed
  sourceOptions(tenant: string): SourceOptions
}

/** Always false in local mode, where `marked` is null. */
export const isHeld = ({ marked }: Pick<Settings, 'marked'>, tenant: string): boolean =>
  marked !== null && !marked.includes(tenant)

/** A single tenant may use at most half of each limit on concurrency. */
export const bounds = {
  /** `batchRuns`: lines of a tenant in progress at once, if its concurrent runs are not limited. */
  batchLines: 10_000,
  batchRuns: 8,
  inFlight: 2_000,
  uploads: 64,
  /** Searches by fields other than status and time. Each search reads up to 500 runs. */
  runSearches: 16,
  streams: 12_000,
  waiting: 1_000,
  /** Questions in this gateway that wait for their threads, and their longest wait. */
  threadAsks: 200,
  threadMs: 30_000,
  waitSeconds: 60,
  /** A file gets additional time according to its size. */
  sendMs: 30_000,
  /** Pages that are being rendered or wait to be rendered, and the longest time to render a page. */
  drawings: 16,
  drawMs: 30_000,
  heartbeatMs: 15_000,
  /** Including the key cache, streams of a revoked key end in less than five seconds. */
  keyLookMs: 1_500,
  slowReaderMs: 10_000,
  /** How long open streams may continue after the gateway begins to stop. */
  farewellMs: 2_000,
  /** Including the embedding of the query. */
  searchMs: 20_000,
  /** Browsers renew a lease after half this time, and run timers of hidden pages only once a minute. */
  leaseMs: 3 * 60_000,
  /** The minimum time between a decision's effect and the deadline of its review. */
  beforeDueMs: 2_000,
  notes: 100,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstDueMs: 5_000,
  ledger: 2_000,
  /** The maximum number of runs, and of documents, that one page of the web app may follow. */
  watched: 50,
  /** The view of a thread shows the latest runs. */
  threadRuns: 50,
}

/** Returns at most three quarters of the number of files that the system lets a process open. */
export const mostStreams = (): number => Math.min(bounds.streams, Math.floor(openFilesLimit() * 0.75))
