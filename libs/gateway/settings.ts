import type { RunCost } from '@plumbline/adapters/redis/limits/spending'
import type { EntryEnv } from '@plumbline/platform/env'
import { openFilesLimit } from '@plumbline/platform/open-files'
import type { CamelCased } from '@plumbline/platform/setting'
import type { GatewayEnv } from './gateway.env'

/** The default limit of questions per minute, which stops a runaway program. It does not apply in local mode. */
export const usualAsksPerMinute = { '*': 6_000 }
/** The default limit of reads per minute. It allows ten reads per question, far more than the web app needs. */
export const usualReadsPerMinute = { '*': 60_000 }

/** The estimated cost of a run until the first run of its tenant has ended. */
export const usualRunCost: RunCost = { cents: 10, tokens: 20_000 }

type Entry = Pick<CamelCased<EntryEnv>, 'lanes' | 'tenantCentsPerDay' | 'tenantTokensPerDay'>

/** The settings of the environment, and those that are computed from other settings. */
export type Settings = Entry &
  Omit<CamelCased<GatewayEnv>, 'markedAnswers'> & {
    models: { label: string; lines: string[] }
    /** Tenants that may release drafts that failed their check. Null in local mode, where every tenant may. */
    markedAnswers: string[] | null
    runCost: RunCost
  }

/** Returns whether a tenant's drafts that failed their check are held. Always false in local mode. */
export const isHeld = ({ markedAnswers }: Pick<Settings, 'markedAnswers'>, tenant: string): boolean =>
  markedAnswers !== null && !markedAnswers.includes(tenant)

/** A single tenant may use at most half of each limit on concurrency. */
export const bounds = {
  /** `batchRuns`: concurrent batch questions of a tenant that has no limit of concurrent runs. */
  batchLines: 10_000,
  batchRuns: 8,
  inFlight: 2_000,
  uploads: 64,
  /** How many searches for runs by other fields than status and time may run at once. Each reads up to 500 runs. */
  runSearches: 16,
  streams: 12_000,
  waiting: 1_000,
  threadAsks: 200,
  threadMs: 30_000,
  waitSeconds: 60,
  /** The time for sending a request body. A file gets additional time according to its size. */
  sendMs: 30_000,
  drawings: 16,
  drawMs: 30_000,
  heartbeatMs: 15_000,
  /** The time between two checks of a stream's key. Streams of a revoked key end within five seconds. */
  keyLookMs: 1_500,
  slowReaderMs: 10_000,
  /** How long open streams may continue after the gateway begins to stop. */
  farewellMs: 2_000,
  searchMs: 20_000,
  /** How long a lease lasts without renewal. Hidden browser tabs run timers only once a minute, so it is longer. */
  leaseMs: 3 * 60_000,
  /** The minimum time between a decision's effect and the deadline of its review. */
  beforeDueMs: 2_000,
  notes: 100,
  page: { limit: 20, most: 100 },
  movesTried: 30,
  firstDueMs: 5_000,
  ledger: 2_000,
  watched: 50,
  threadRuns: 50,
}

/** Open streams may use at most three quarters of the files that the process may open. */
export const mostStreams = (): number => Math.min(bounds.streams, Math.floor(openFilesLimit() * 0.75))
