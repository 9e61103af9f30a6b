import type { RoutingRule } from '@plumbline/hosting/routing/rules'

/** What a deployment decides about its gateway. */
export type Settings = {
  lanes: string[]
  webOn: boolean
  /** What answers are made with here: `label` stands on every run, `lines` in /readyz. */
  models: { label: string; lines: string[] }
  /** Tenants with keys of their own whose policies may be weaker than the hold; null: everyone's, as there are no keys. */
  marked: string[] | null
  /** What becomes of a question whose thread is still busy with another. */
  threads: 'queue' | 'refuse'
  /** What the operator decides by the words of a question. */
  rules: readonly RoutingRule[]
  dailyCents: Record<string, number>
  /** The largest file that is taken in. */
  maxFileBytes: number
}

/** Every bound of the gateway in one place. */
export const bounds = {
  inFlight: 2_000,
  uploads: 32,
  streams: 4_000,
  streamsPerTenant: 1_000,
  waiting: 1_000,
  /** Questions of one tenant that wait for their threads here, and how long one waits. */
  threadAsks: 100,
  threadMs: 30_000,
  waitSeconds: 60,
  heartbeatMs: 15_000,
  slowReaderMs: 20_000,
  leaseMs: 10 * 60_000,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstLookMs: 5_000,
  ledger: 2_000,
}
