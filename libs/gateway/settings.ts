import type { DailyBudget } from '@plumbline/adapters/redis'
import type { Allowed } from '@plumbline/adapters/fetching/target'
import type { SourceOptions } from '@plumbline/adapters/sources/options'
import type { WhenBusy } from '@plumbline/contracts'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import { openFilesLimit } from '@plumbline/platform/open-files'

/** What tenants may ask, by tenant, `*` for all that are not named; what is not set is not limited. */
export type Quotas = {
  /** How much of what tenants share each gets; 1 where it is not set. */
  weights: Record<string, number>
  asksPerMinute: Record<string, number>
  /** Of every key. */
  keyAsksPerMinute?: number
  readsPerMinute: Record<string, number>
  /** Of every key. */
  keyReadsPerMinute?: number
  runsAtOnce: Record<string, number>
  /** While a job has waited for longer, tenants ask no more than they have waiting already. */
  mostQueuedMs?: number
}

/** Wherever callers are known by a key or a token: it stops a program that lost its way; a team that asks more than 100 a second sets its own. */
export const usualAsksPerMinute = { '*': 6_000 }
/** Ten reads for each ask: a page that follows its runs stays far below. */
export const usualReadsPerMinute = { '*': 60_000 }

/** What a deployment decides about its gateway. */
export type Settings = {
  lanes: string[]
  webOn: boolean
  /** What answers are made with here: `label` stands on every run, `lines` in /readyz. */
  models: { label: string; lines: string[] }
  /** Tenants with keys of their own whose policies may be weaker than the hold; null: everyone's, as there are no keys. */
  marked: string[] | null
  /** Tenants where two people have to agree to a release; `*` for all. */
  fourEyes: string[]
  /** What becomes of a question whose thread is still busy with another. */
  threads: WhenBusy
  /** What the operator decides by the words of a question. */
  rules: readonly RoutingRule[]
  /** What a tenant may spend a day. */
  daily: DailyBudget
  quotas: Quotas
  /** Redis is one node: calls of one connection take effect in the order in which they were made. */
  inOrder: boolean
  /** How long a request of a client that knows nothing of runs is kept open for its answer. */
  clientWaitSeconds: number
  /** Whose pages may call the API from a browser; none where it is empty. */
  corsOrigins: readonly string[]
  /** The address under which people open the app; links in answers lead to it. */
  publicUrl?: string
  /** Addresses and ranges of proxies whose X-Forwarded headers are believed; none where it is empty. */
  trustedProxies: readonly string[]
  /** The largest file that is taken in. */
  maxFileBytes: number
  /** What webhooks may reach beside the public internet. */
  allowed?: Allowed
  /** What the sources of a tenant may reach. */
  sourceOptions(tenant: string): SourceOptions
}

/** An asker by key cannot choose a weaker hold, by whichever policy, unless the operator named their tenant. */
export const isHeld = ({ marked }: Pick<Settings, 'marked'>, tenant: string): boolean =>
  marked !== null && !marked.includes(tenant)

/** Every bound of the gateway in one place. Of what is under way at once a tenant has half at most. */
export const bounds = {
  /** Lines of one batch, and how many of a tenant's are under way together where its runs at once are not limited. */
  batchLines: 10_000,
  batchRuns: 8,
  inFlight: 2_000,
  uploads: 64,
  /** Searches of runs by more than status and time. Each reads up to 500 runs. */
  runSearches: 16,
  streams: 12_000,
  waiting: 1_000,
  /** Questions that wait for their threads here, and how long one waits. */
  threadAsks: 200,
  threadMs: 30_000,
  waitSeconds: 60,
  /** What a body has to arrive; files have more, by their size. */
  sendMs: 30_000,
  /** Pages that are being drawn or wait for it, and how long one may take. */
  drawings: 16,
  drawMs: 30_000,
  heartbeatMs: 15_000,
  /** How often a stream looks whether its key still counts; with the time a key is fresh less than five seconds. */
  keyLookMs: 1_500,
  slowReaderMs: 10_000,
  /** What open streams have to end once the gateway stops. */
  farewellMs: 2_000,
  /** What a search may take with its vectors. */
  searchMs: 20_000,
  leaseMs: 10 * 60_000,
  /** A decision that can be taken back counts so long before its review is due, at the latest. */
  beforeDueMs: 2_000,
  /** A draft's notes. */
  notes: 100,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstLookMs: 5_000,
  ledger: 2_000,
  /** Runs, and documents, of one page that is told what changed. */
  watched: 50,
  /** The last runs of a thread, which its view shows. */
  threadRuns: 50,
}

/** As many as the system lets this process have, with a quarter left for everything else. */
export const mostStreams = (): number => Math.min(bounds.streams, Math.floor(openFilesLimit() * 0.75))
