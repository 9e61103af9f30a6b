import type { Registry } from 'prom-client'
import type { DocumentsSettings } from '@plumbline/adapters/files/document-files'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import type { Policy } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { Feature } from './feature'
import type { OidcSettings } from './http/token-callers'
import type { PassageSearch, RemovePassages } from './ports'
import { usualRunCost, type Quotas, type Settings } from './settings'

export type GatewayOptions = Partial<Omit<Settings, 'marked' | 'daily' | 'quotas'> & Quotas> & {
  redisUrl: string
  host?: string
  port?: number
  /**
   * The API keys, written as `key:tenant:role[+role],…`. The gateway runs in local mode if there are none, no stored
   * admin key and no token issuer.
   */
  apiKeys?: string
  oidc?: OidcSettings | null
  auditDays?: number
  policies?: Record<string, Policy>
  offeredPolicies?: string[]
  marked?: string[]
  retentionMs?: number
  dailyCents?: Record<string, number>
  dailyTokens?: Record<string, number>
  features: Feature[]
  dataDir?: string
  documents?: DocumentsSettings
  log?: Log
  registry?: Registry
  removePassages: RemovePassages
  pages?: PageDrawer
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
  allowed,
}: GatewayOptions): Settings => ({
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
  ...(allowed && { allowed }),
})
