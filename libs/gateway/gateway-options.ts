import type { Registry } from 'prom-client'
import type { DocumentsSettings } from '@plumbline/adapters/files/document-files'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Policy } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { OidcSettings } from './http/token-callers'
import type { PassageSearch, RemovePassages } from './ports'
import type { Quotas, Settings } from './settings'

export type GatewayOptions = Partial<Omit<Settings, 'marked' | 'singleConnection' | 'daily' | 'quotas'> & Quotas> & {
  redisUrl: string
  host?: string
  /** 0 uses a free port. */
  port?: number
  /**
   * Keys in the format of the setting API_KEYS: `key:tenant:role[+role],…`. Without these, a key in the store or an
   * issuer, the gateway runs in local mode.
   */
  apiKeys?: string
  /** The issuer whose tokens are accepted in addition to keys. */
  oidc?: OidcSettings | null
  /** Retention of audit log entries in days; 0 means no expiry. */
  auditDays?: number
  /** Policies in addition to the presets, by name. */
  policies?: Record<string, Policy>
  /** The policies that an ask may name. Without any, an ask may name all policies. */
  offeredPolicies?: string[]
  /** Tenants whose policies may release ungrounded drafts. */
  marked?: string[]
  retentionMs?: number
  /** A tenant's budget per day, in cents and tokens; `*` covers all other tenants. */
  dailyCents?: Record<string, number>
  dailyTokens?: Record<string, number>
  /** How many days decisions are stored as cases, with their texts; 0 stores none. */
  casesDays?: number
  /** The document store, shared with the ingestors. */
  dataDir?: string
  documents?: DocumentsSettings
  log?: Log
  /** A registry shared with another part of this process. */
  registry?: Registry
  removePassages: RemovePassages
  /** Draws pages of documents. Without it, pages have no images. */
  pages?: PageDrawer
  /** Opens the passage search over this gateway's connection. Without it, search is off. */
  openSearch?: (shared: { redis: RedisClient; log: Log }) => PassageSearch
}

/** Returns the settings of a gateway with defaults for missing options. */
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
