import type { DailyBudget } from '@plumbline/adapters/redis'
import type { Allowed } from '@plumbline/adapters/fetching/target'
import type { SourceOptions } from '@plumbline/adapters/sources/options'
import type { WhenBusy } from '@plumbline/contracts'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import { openFilesLimit } from '@plumbline/platform/open-files'

/** Quotas by tenant; `*` covers all other tenants. A missing quota means no limit. */
export type Quotas = {
  /** Each tenant's weight in sharing the system. The default is 1. */
  weights: Record<string, number>
  asksPerMinute: Record<string, number>
  /** The limit of each single key. */
  keyAsksPerMinute?: number
  readsPerMinute: Record<string, number>
  /** The limit of each single key. */
  keyReadsPerMinute?: number
  runsAtOnce: Record<string, number>
  /** While a job has waited longer than this, tenants with waiting runs are refused. */
  mostQueuedMs?: number
}

/**
 * The default unless the gateway runs in local mode. It stops a runaway program; a team with more than 100 asks a
 * second sets its own.
 */
export const usualAsksPerMinute = { '*': 6_000 }
/** Ten reads per ask. The pages of the web app read far less when they follow runs. */
export const usualReadsPerMinute = { '*': 60_000 }

/** The settings of a gateway. */
export type Settings = {
  lanes: string[]
  webOn: boolean
  /** The models that write answers: `label` is stored with every run, `lines` are shown in /readyz. */
  models: { label: string; lines: string[] }
  /** Tenants whose policies may release ungrounded drafts. Null in local mode, where every tenant may. */
  marked: string[] | null
  /** Tenants that need two approvals for a release; `*` for all. */
  fourEyes: string[]
  /** The default action if a question arrives while its thread has another run in progress. */
  threads: WhenBusy
  /** The operator's routing rules. */
  rules: readonly RoutingRule[]
  /** A tenant's budget per day. */
  daily: DailyBudget
  quotas: Quotas
  /** Redis is a single node, so calls of one connection take effect in order. */
  singleConnection: boolean
  /** How long OpenAI and MCP requests stay open for their answer. */
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

/** Returns whether ungrounded drafts of a tenant must be held, whatever its policy. Always false in local mode. */
export const isHeld = ({ marked }: Pick<Settings, 'marked'>, tenant: string): boolean =>
  marked !== null && !marked.includes(tenant)

/** Every limit of the gateway. One tenant may use at most half of each concurrency limit. */
export const bounds = {
  /** `batchLines`: lines of one batch. `batchRuns`: concurrent lines of a tenant whose runs are not limited. */
  batchLines: 10_000,
  batchRuns: 8,
  inFlight: 2_000,
  uploads: 64,
  /** Searches of runs by other fields than status and time. Each reads up to 500 runs. */
  runSearches: 16,
  streams: 12_000,
  waiting: 1_000,
  /** Questions that wait in this gateway for their threads, and the longest wait. */
  threadAsks: 200,
  threadMs: 30_000,
  waitSeconds: 60,
  /** Time for a body to arrive. Files get additional time by their size. */
  sendMs: 30_000,
  /** Pages that are being drawn or wait for it, and the longest time to draw one. */
  drawings: 16,
  drawMs: 30_000,
  heartbeatMs: 15_000,
  /** How often a stream checks its key. With the cache, a revoked key ends its streams in less than five seconds. */
  keyLookMs: 1_500,
  slowReaderMs: 10_000,
  /** Time for open streams to end after the gateway begins to stop. */
  farewellMs: 2_000,
  /** Longest time of a passage search, including its embedding. */
  searchMs: 20_000,
  leaseMs: 10 * 60_000,
  /** A decision takes effect at least this long before its review is due, even if that shortens the time to undo it. */
  beforeDueMs: 2_000,
  /** The most notes on one draft. */
  notes: 100,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstDueMs: 5_000,
  ledger: 2_000,
  /** The most runs, and the most documents, that one page may follow. */
  watched: 50,
  /** How many of the last runs of a thread its view shows. */
  threadRuns: 50,
}

/** Returns the limit of open streams, at most three quarters of the files that the system allows. */
export const mostStreams = (): number => Math.min(bounds.streams, Math.floor(openFilesLimit() * 0.75))
