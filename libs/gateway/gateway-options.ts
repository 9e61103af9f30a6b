import type { Registry } from 'prom-client'
import type { DocumentsSettings } from '@plumbline/adapters/files/document-files'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Policy } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { OidcSettings } from './http/token-callers'
import type { PassageSearch, RemovePassages } from './ports'
import type { Quotas, Settings } from './settings'

export type GatewayOptions = Partial<Omit<Settings, 'marked' | 'inOrder' | 'daily' | 'quotas'> & Quotas> & {
  redisUrl: string
  host?: string
  /** 0 takes a free one. */
  port?: number
  /** As in the environment: `key:tenant:role[+role],…`. Without these, a key in the store or an issuer there is local mode only. */
  apiKeys?: string
  /** Whose tokens count beside keys. */
  oidc?: OidcSettings | null
  /** For how many days the audit log keeps its entries; 0: for ever. */
  auditDays?: number
  /** Policies beside the presets, by name. */
  policies?: Record<string, Policy>
  /** Tenants whose policies may be weaker than the hold. */
  marked?: string[]
  retentionMs?: number
  /** What a tenant may spend a day, `*` for all that are not named. */
  dailyCents?: Record<string, number>
  dailyTokens?: Record<string, number>
  /** For how many days a decision is kept as a case, with the texts it was made on; 0 keeps none. */
  casesDays?: number
  /** Where documents stand until and after they are indexed; the ingestors' too. */
  dataDir?: string
  documents?: DocumentsSettings
  log?: Log
  /** Another part of this process may have its metrics in the same place. */
  registry?: Registry
  removePassages: RemovePassages
  /** Draws pages of documents; without it they have none to show. */
  pages?: PageDrawer
  /** How passages are found here, over this gateway's connection; without it none are. */
  openSearch?: (shared: { redis: RedisClient; log: Log }) => PassageSearch
}

/** Returns the settings of a gateway with what the options leave out. */
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
}: GatewayOptions): Omit<Settings, 'inOrder'> => ({
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
