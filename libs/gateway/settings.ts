import type { DailyBudget } from '@plumbline/adapters/redis'
import type { Allowed } from '@plumbline/adapters/fetching/target'
import type { SourceOptions } from '@plumbline/adapters/sources/options'
import type { WhenBusy } from '@plumbline/contracts'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import { openFilesLimit } from '@plumbline/platform/open-files'

/** Quotas by tenant; `*` covers all others. A missing one means no limit. */
export type Quotas = {
  /** Each tenant's weight in sharing the system. The default is 1. */
  weights: Record<string, number>
  asksPerMinute: Record<string, number>
  /** Of every key. */
  keyAsksPerMinute?: number
  readsPerMinute: Record<string, number>
  /** Of every key. */
  keyReadsPerMinute?: number
  runsAtOnce: Record<string, number>
  /** Once a job has waited longer, tenants with waiting runs are refused. */
  mostQueuedMs?: number
}

/**
 * The default with keys or tokens. It stops a runaway program; a team with more than 100 asks a second sets its own.
 */
export const usualAsksPerMinute = { '*': 6_000 }
/** Ten reads per ask. A page that follows its runs stays far below. */
export const usualReadsPerMinute = { '*': 60_000 }

/** The settings of a gateway. */
export type Settings = {
  lanes: string[]
  webOn: boolean
  /** The models of answers: `label` is stored with every run, `lines` are shown in /readyz. */
  models: { label: string; lines: string[] }
  /** Tenants with keys whose policies may be weaker than the hold. Null without keys: everyone. */
  marked: string[] | null
  /** Tenants that need two approvals for a release; `*` for all. */
  fourEyes: string[]
  /** The default for a question whose thread has another run in progress. */
  threads: WhenBusy
  /** The operator's routing rules. */
  rules: readonly RoutingRule[]
  /** A tenant's budget per day. */
  daily: DailyBudget
  quotas: Quotas
  /** Redis is a single node, so calls of one connection take effect in order. */
  singleConnection: boolean
  /** How long requests of clients without runs are kept open for their answer. */
  clientWaitSeconds: number
  /** The origins that may call the API from a browser, or none if empty. */
  corsOrigins: readonly string[]
  /** The public URL of the app, for links in answers. */
  publicUrl?: string
  /** Addresses and ranges of proxies whose X-Forwarded headers are trusted, or none if empty. */
  trustedProxies: readonly string[]
  /** The largest accepted file. */
  maxFileBytes: number
  /** Private addresses that webhooks may use. */
  allowed?: Allowed
  /** The source options of a tenant. */
  sourceOptions(tenant: string): SourceOptions
}

/** An asker with a key cannot weaken the hold by any policy, unless the operator named its tenant. */
export const isHeld = ({ marked }: Pick<Settings, 'marked'>, tenant: string): boolean =>
  marked !== null && !marked.includes(tenant)

/** Every limit of the gateway. One tenant may use at most half of each concurrency limit. */
export const bounds = {
  /** Lines of one batch, and a tenant's concurrent lines if its runs are not limited. */
  batchLines: 10_000,
  batchRuns: 8,
  inFlight: 2_000,
  uploads: 64,
  /** Searches of runs by more than status and time. Each reads up to 500 runs. */
  runSearches: 16,
  streams: 12_000,
  waiting: 1_000,
  /** Questions that wait here for their threads, and the longest wait. */
  threadAsks: 200,
  threadMs: 30_000,
  waitSeconds: 60,
  /** Time for a body to arrive. Files have more, by their size. */
  sendMs: 30_000,
  /** Pages being drawn or waiting for it, and the longest time of one. */
  drawings: 16,
  drawMs: 30_000,
  heartbeatMs: 15_000,
  /** How often a stream checks its key. Together with the cache, a change takes less than five seconds. */
  keyLookMs: 1_500,
  slowReaderMs: 10_000,
  /** Time for open streams to end once the gateway stops. */
  farewellMs: 2_000,
  /** Longest time of a search with its vectors. */
  searchMs: 20_000,
  leaseMs: 10 * 60_000,
  /** An undoable decision takes effect at least this long before its review is due. */
  beforeDueMs: 2_000,
  /** A draft's notes. */
  notes: 100,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstDueMs: 5_000,
  ledger: 2_000,
  /** Runs, and documents, that one page may follow. */
  watched: 50,
  /** The last runs of a thread, shown in its view. */
  threadRuns: 50,
}

/** As many as the system's limit allows, with a quarter left for everything else. */
export const mostStreams = (): number => Math.min(bounds.streams, Math.floor(openFilesLimit() * 0.75))
