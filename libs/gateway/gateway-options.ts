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
   * Keys in the format of the setting API_KEYS: `key:tenant:role[+role],…`. The gateway runs in local mode if there are
   * no such keys, no admin key in the store, and no issuer.
   */
  apiKeys?: string
  /** The issuer of accepted tokens. Tokens are accepted in addition to keys. */
  oidc?: OidcSettings | null
  /** Retention of audit log entries in days. With 0, entries never expire. */
  auditDays?: number
  /** Policies in addition to the presets, by name. */
  policies?: Record<string, Policy>
  /** The policies that a question may name. If missing or empty, a question may name any policy. */
  offeredPolicies?: string[]
  /** Tenants whose policies may release ungrounded drafts. */
  marked?: string[]
  retentionMs?: number
  /** The daily budgets of tenants, in cents and in tokens. The entry `*` applies to all tenants without an entry. */
  dailyCents?: Record<string, number>
  dailyTokens?: Record<string, number>
  /** How many days decisions are stored as cases. A case contains the texts of its run. With 0, no cases are stored. */
  casesDays?: number
  /** The document store, shared with the ingestors. */
  dataDir?: string
  documents?: DocumentsSettings
  log?: Log
  /** A metrics registry that another part of this process uses too. */
  registry?: Registry
  removePassages: RemovePassages
  /** Renders pages of documents as images. If missing, pages have no images. */
  pages?: PageDrawer
  /** Opens the passage search on the Redis connection of this gateway. If missing, passage search is unavailable. */
  openSearch?: (shared: { redis: RedisClient; log: Log }) => PassageSearch
}

/** Returns the settings of a gateway. Missing options get their defaults. */
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
