import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { intakeDefaults } from '@plumbline/adapters/files/intake'
import { WhenBusy } from '@plumbline/contracts'
import { type Policy, policies as presets } from '@plumbline/flow'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { describeModels } from '@plumbline/hosting/models/describe'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { RulesFromFile } from '@plumbline/hosting/routing/rules'
import { byTenant, EntryEnv, EnvError, list, PublicUrl, readEnvs } from '@plumbline/platform/env'
import { OidcEnv, oidcOf } from './http/token-callers'
import { readPolicies } from './policies/policy-book'

const mostFileMb = intakeDefaults.mostBytes / 1_000_000

const names = z.string().default('').transform(list)

const isCount = (figure: number): boolean => Number.isInteger(figure) && figure > 0
const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text)
const origins = names.refine(
  (all) => all.every(isOrigin),
  'write origins such as https://app.example.org, or * for all',
)

/** Proxies are trusted by address and not by name, because they decide the host of the links in responses. */
const isNetwork = (text: string): boolean => isIP(text) !== 0 || ipaddr.isValidCIDR(text)
const proxies = names.refine(
  (all) => all.every(isNetwork),
  'write addresses or address ranges, separated by commas, such as 10.0.0.5,10.1.0.0/16',
)

export const GatewayEnv = z.object({
  /** The gateway only needs to know whether web search is `off`. */
  WEB_SEARCH: z.enum(['off', 'tavily', 'searxng']).default('off'),
  MAX_FILE_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(mostFileMb, `set at most ${mostFileMb}, because no larger file is read`)
    .default(mostFileMb),
  POLICIES_DIR: z.string().optional(),
  /** The policies that a question may name. If unset, a question may name any policy. */
  POLICIES: names,
  /** Tenants that may release drafts that failed their check. For other tenants, such drafts wait for a review. */
  MARKED_ANSWERS: names,
  /** Tenants whose drafts are released only after two reviewers approve. `*` means all tenants. */
  FOUR_EYES: names,
  /** After this time, an OpenAI or MCP client gets the run's status instead of the answer. */
  CLIENT_WAIT_SECONDS: z.coerce.number().int().min(1).max(3_600).default(300),
  /** With 0, audit entries never expire. */
  AUDIT_DAYS: z.coerce.number().int().min(0).max(36_500).default(365),
  TENANT_WEIGHTS: byTenant('a weight from 0.01 to 100', (weight) => weight >= 0.01 && weight <= 100).default({}),
  TENANT_ASKS_PER_MINUTE: byTenant('the questions per minute', isCount).optional(),
  KEY_ASKS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
  /** Requests for event streams, health and metrics do not count as reads. */
  TENANT_READS_PER_MINUTE: byTenant('the read requests per minute', isCount).optional(),
  KEY_READS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
  /** Runs that have ended or wait for a review do not count toward this limit. */
  TENANT_RUNS_AT_ONCE: byTenant('the number of concurrent runs', isCount).default({}),
  /** While a job waits longer than this, questions of tenants with waiting runs are refused. 0 means no limit. */
  MAX_QUEUE_SECONDS: z.coerce.number().int().min(0).max(86_400).default(300),
  THREADS: WhenBusy.default('queue'),
  CORS_ORIGINS: origins,
  /** If unset, links use the host that the client requested. */
  PUBLIC_URL: PublicUrl.optional(),
  /** Proxies whose X-Forwarded headers are trusted. */
  TRUSTED_PROXIES: proxies,
  /** A file with routing rules. The gateway applies only the rules that name a policy. */
  ROUTES_FILE: RulesFromFile,
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})

type PolicySettings = Pick<z.infer<typeof GatewayEnv>, 'POLICIES_DIR' | 'POLICIES' | 'ROUTES_FILE'>

const ownPolicies = ({
  POLICIES_DIR: dir,
  POLICIES: offered,
  ROUTES_FILE: rules,
}: PolicySettings): Record<string, Policy> => {
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
  const policies = ownPolicies(own)
  return {
    entry,
    redisUrl: entry.REDIS_URL,
    host: entry.HOST,
    port: entry.PORT,
    lanes: entry.LANES,
    webOn: own.WEB_SEARCH !== 'off',
    models: describeModels(models),
    policies,
    offeredPolicies: own.POLICIES,
    marked: own.MARKED_ANSWERS,
    auditDays: own.AUDIT_DAYS,
    oidc: oidcOf(oidc),
    fourEyes: own.FOUR_EYES,
    threads: own.THREADS,
    clientWaitSeconds: own.CLIENT_WAIT_SECONDS,
    rules: own.ROUTES_FILE,
    corsOrigins: own.CORS_ORIGINS,
    ...(own.PUBLIC_URL !== undefined && { publicUrl: own.PUBLIC_URL }),
    trustedProxies: own.TRUSTED_PROXIES,
    dailyCents: entry.TENANT_CENTS_PER_DAY,
    dailyTokens: entry.TENANT_TOKENS_PER_DAY,
    weights: own.TENANT_WEIGHTS,
    ...(own.TENANT_ASKS_PER_MINUTE && { asksPerMinute: own.TENANT_ASKS_PER_MINUTE }),
    ...(own.TENANT_READS_PER_MINUTE && { readsPerMinute: own.TENANT_READS_PER_MINUTE }),
    ...(own.KEY_READS_PER_MINUTE !== undefined && { keyReadsPerMinute: own.KEY_READS_PER_MINUTE }),
    runsAtOnce: own.TENANT_RUNS_AT_ONCE,
    ...(own.KEY_ASKS_PER_MINUTE !== undefined && { keyAsksPerMinute: own.KEY_ASKS_PER_MINUTE }),
    ...(own.MAX_QUEUE_SECONDS > 0 && { mostQueuedMs: own.MAX_QUEUE_SECONDS * 1_000 }),
    dataDir: entry.DATA_DIR,
    documents,
    maxFileBytes: own.MAX_FILE_MB * 1_000_000,
    allowed: own.ALLOW_PRIVATE_ADDRESSES,
    ...(entry.API_KEYS !== undefined && { apiKeys: entry.API_KEYS }),
  }
}
