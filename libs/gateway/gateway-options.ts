import type { Registry } from 'prom-client'
import type { DocumentsSettings } from '@plumbline/adapters/files/document-files'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { type Policy, policies as presets } from '@plumbline/flow'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { describeModels } from '@plumbline/hosting/models/describe'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { EntryEnv, EnvError, readEnvs } from '@plumbline/platform/env'
import type { Log } from '@plumbline/platform/log'
import { camelCased, type CamelCased } from '@plumbline/platform/setting'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { Feature } from './feature'
import { GatewayEnv } from './gateway.env'
import { OidcEnv, oidcOf, type OidcSettings } from './http/oidc.env'
import { readPolicies } from './policies/policy-book'
import type { PassageSearch, RemovePassages } from './ports'
import { usualRunCost, type Settings } from './settings'

/** The gateway runs in local mode if it has no API keys, no stored admin key and no token issuer. */
export type GatewayOptions = Partial<Settings & CamelCased<EntryEnv>> & {
  redisUrl: string
  oidc?: OidcSettings | null
  /** The policies of the operator. `policies` are the names of those that a question may name. */
  ownPolicies?: Record<string, Policy>
  retentionMs?: number
  features: Feature[]
  documents?: DocumentsSettings
  log?: Log
  registry?: Registry
  removePassages: RemovePassages
  pages?: PageDrawer
  openSearch?: (shared: { redis: RedisClient; log: Log }) => PassageSearch
}

export type ResolvedOptions = GatewayOptions & Settings & CamelCased<EntryEnv>

/** Adds the default of every setting, which is its value in an empty environment. */
export const settingsOf = (options: GatewayOptions): ResolvedOptions => ({
  ...camelCased(EntryEnv.parse({})),
  ...camelCased(GatewayEnv.parse({})),
  models: { label: 'offline', lines: [] },
  runCost: usualRunCost,
  ...options,
})

const ownPolicies = ({
  POLICIES_DIR: dir,
  POLICIES: offered,
  ROUTES_FILE: rules,
}: GatewayEnv): Record<string, Policy> => {
  const { policies, faults } = dir === undefined ? { policies: {}, faults: [] } : readPolicies(dir)
  if (faults.length > 0)
    throw new EnvError(['POLICIES_DIR contains invalid policies:', ...faults.map((fault) => `  ${fault}`)].join('\n'))
  const all = { ...presets, ...policies }
  const missing = offered.filter((name) => !Object.hasOwn(all, name))
  if (missing.length > 0)
    throw new EnvError(
      `POLICIES names policies that do not exist: ${missing.join(', ')}. Use only ${Object.keys(all).join(', ')}.`,
    )
  const unknown = rules.filter(({ then: { policy } }) => policy !== undefined && !Object.hasOwn(all, policy))
  if (unknown.length > 0)
    throw new EnvError(
      [
        'ROUTES_FILE names policies that do not exist:',
        ...unknown.map(({ name, then }) => `  ${name}: ${then.policy}`),
      ].join('\n'),
    )
  return policies
}

export const readGatewayEnv = (source: Record<string, string | undefined> = process.env) => {
  const [entry, models, own, oidc, { documents }] = readEnvs(
    [EntryEnv, ModelsEnv, GatewayEnv, OidcEnv, DocumentsEnv],
    source,
  )
  return {
    entry,
    ...camelCased(entry),
    ...camelCased(own),
    ownPolicies: ownPolicies(own),
    models: describeModels(models),
    oidc: oidcOf(oidc),
    documents,
  }
}
