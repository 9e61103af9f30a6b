import type { Registry } from 'prom-client'
import type { DocumentsSettings } from '@plumbline/adapters/files/document-files'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import type { Policy } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { OidcSettings } from './http/token-callers'
import type { PassageSearch, RemovePassages } from './ports'
import { usualRunCost, type Quotas, type Settings } from './settings'

export type GatewayOptions = Partial<Omit<Settings, 'marked' | 'singleConnection' | 'daily' | 'quotas'> & Quotas> & {
  redisUrl: string
  host?: string
  /** With 0, the system selects a free port. */
  port?: number
  /**
   * `key:tenant:role[+role],…`. The gateway runs in local mode if there are no such keys, no stored admin key and no
   * issuer.
   */
  apiKeys?: string
  /** Accepts tokens of this issuer in addition to keys. */
  oidc?: OidcSettings | null
  /** The number of days for which audit entries are stored. With 0, the entries never expire. */
  auditDays?: number
  /** The policies in addition to the presets, by name. */
  policies?: Record<string, Policy>
  /** If missing or empty, a question may name any policy. */
  offeredPolicies?: string[]
  /** Tenants whose policies may release drafts that failed their check. */
  marked?: string[]
  retentionMs?: number
  /** The daily limits in cents and in tokens. The entry `*` applies to all tenants without an entry. */
  dailyCents?: Record<string, number>
  dailyTokens?: Record<string, number>
  /** With 0, no cases are stored. */
  casesDays?: number
  /** The data folder, which the gateway shares with the ingestors. */
  dataDir?: string
  documents?: DocumentsSettings
  log?: Log
  registry?: Registry
  removePassages: RemovePassages
  /** If missing, pages have no images. */
  pages?: PageDrawer
  /** If missing, passage search is unavailable. */
  openSearch?: (shared: { redis: RedisClient; log: Log }) => PassageSearch
}

export const settingsOf = ({
  lanes = ['main'],
  webOn = false,
  models = { label: 'offline', lines: [] },
  marked = [],
  fourEyes = [],
  threads = 'queue',
  rules = [],
  dailyCents = {},
  clientWaitSeconds = 300,
  dailyTokens = {},
  runCost = usualRunCost,
  weights = {},
  asksPerMinute = {},
  keyAsksPerMinute,
  readsPerMinute = {},
  keyReadsPerMinute,
  runsAtOnce = {},
  mostQueuedMs,
  corsOrigins = [],
  publicUrl,
  trustedProxies = [],
  maxFileBytes = 100_000_000,
  sourceOptions = () => ({}),
  allowed,
}: GatewayOptions): Omit<Settings, 'singleConnection'> => ({
  lanes,
  webOn,
  models,
  marked,
  fourEyes,
  threads,
  rules,
  clientWaitSeconds,
  corsOrigins,
  ...(publicUrl !== undefined && { publicUrl }),
  trustedProxies,
  daily: { cents: dailyCents, tokens: dailyTokens },
  runCost,
  quotas: {
    weights,
    asksPerMinute,
    readsPerMinute,
    runsAtOnce,
    ...(keyAsksPerMinute !== undefined && { keyAsksPerMinute }),
    ...(keyReadsPerMinute !== undefined && { keyReadsPerMinute }),
    ...(mostQueuedMs !== undefined && { mostQueuedMs }),
  },
  maxFileBytes,
  sourceOptions,
  ...(allowed && { allowed }),
})
