import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { intakeDefaults } from '@plumbline/adapters/files/intake'
import { WhenBusy } from '@plumbline/contracts'
import { policies as presets } from '@plumbline/flow'
import { DocumentsEnv } from '@plumbline/hosting/documents.env'
import { describeModels } from '@plumbline/hosting/models/describe'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { RulesFromFile } from '@plumbline/hosting/routing/rules'
import { sourceOptionsOf, SourcesEnv } from '@plumbline/hosting/sources/sources.env'
import { byTenant, DoorEnv, EnvError, list, PublicUrl, readEnvs } from '@plumbline/platform/env'
import { OidcEnv, oidcOf } from './http/token-callers'
import { readPolicies } from './policies/policy-book'

const mostFileMb = intakeDefaults.mostBytes / 1_000_000

const tenantNames = z.string().default('').transform(list)

const isCount = (figure: number): boolean => Number.isInteger(figure) && figure > 0
const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text)
const origins = tenantNames.refine((all) => all.every(isOrigin), 'write origins as https://app.example.org, or *')

/** Proxies by their addresses: a caller that could pass for one would choose the host of our links. */
const isNetwork = (text: string): boolean => isIP(text) !== 0 || ipaddr.isValidCIDR(text)
const proxies = tenantNames.refine(
  (all) => all.every(isNetwork),
  'write addresses or ranges of addresses as 10.0.0.5,10.1.0.0/16',
)

export const GatewayEnv = z.object({
  /** Which search it is, and its key, is the researcher's to know. */
  WEB_SEARCH: z.enum(['off', 'tavily', 'searxng']).default('off'),
  /** Larger files are rejected before they are stored. */
  MAX_FILE_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(mostFileMb, `set ${mostFileMb} at most: no larger file is read`)
    .default(mostFileMb),
  /** A folder of YAML and JSON files, a policy each. */
  POLICIES_DIR: z.string().optional(),
  /** Tenants whose policies may be weaker than the hold; for all others what did not stand its check is parked. */
  MARKED_ANSWERS: tenantNames,
  /** Tenants where two people have to agree to a release; `*` for all. */
  FOUR_EYES: tenantNames,
  /** How long OpenAI's and MCP's clients wait for an answer before they are told where the run stands. */
  CLIENT_WAIT_SECONDS: z.coerce.number().int().min(1).max(3_600).default(300),
  /** Cases hold texts of documents beyond their run: none is kept unless the operator says how long. */
  CASES_DAYS: z.coerce.number().int().min(0).max(3_650).default(0),
  /** How long the audit log keeps its entries; 0: for ever. */
  AUDIT_DAYS: z.coerce.number().int().min(0).max(36_500).default(365),
  /** How much of what tenants share each gets. */
  TENANT_WEIGHTS: byTenant('a weight from 0.01 to 100', (weight) => weight >= 0.01 && weight <= 100).default({}),
  TENANT_ASKS_PER_MINUTE: byTenant('asks a minute', isCount).optional(),
  KEY_ASKS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
  /** Event streams, health and metrics are no reads. */
  TENANT_READS_PER_MINUTE: byTenant('reads a minute', isCount).optional(),
  KEY_READS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
  /** Runs that are neither through nor held for a person. */
  TENANT_RUNS_AT_ONCE: byTenant('runs at once', isCount).default({}),
  /** While a job has waited for longer, tenants ask no more than they have waiting already; 0 for any. */
  MAX_QUEUE_SECONDS: z.coerce.number().int().min(0).max(86_400).default(300),
  /** Two questions in one thread at once, where the second does not say: it waits for the first, is refused, or takes its place. */
  THREADS: WhenBusy.default('queue'),
  /** Origins whose pages may call the API from a browser, or `*`. */
  CORS_ORIGINS: origins,
  /** Links in answers lead here; without it they lead to the host that was asked. */
  PUBLIC_URL: PublicUrl.optional(),
  /** Proxies whose X-Forwarded headers say how the caller reached them. */
  TRUSTED_PROXIES: proxies,
  /** The operator's routing rules; those that name a policy are followed here. */
  ROUTES_FILE: RulesFromFile,
  ...SourcesEnv.shape,
})

/** What a gateway reads of its environment, every fault of it told at once. */
export const readGatewayEnv = (source: Record<string, string | undefined> = process.env) => {
  const [door, models, own, oidc, { documents }] = readEnvs(
    [DoorEnv, ModelsEnv, GatewayEnv, OidcEnv, DocumentsEnv],
    source,
  )
  const { policies, faults } =
    own.POLICIES_DIR === undefined ? { policies: {}, faults: [] } : readPolicies(own.POLICIES_DIR)
  if (faults.length > 0)
    throw new EnvError(
      ['POLICIES_DIR has policies that cannot be used:', ...faults.map((fault) => `  ${fault}`)].join('\n'),
    )
  const unknown = own.ROUTES_FILE.filter(
    ({ then: { policy } }) => policy !== undefined && !Object.hasOwn({ ...presets, ...policies }, policy),
  )
  if (unknown.length > 0)
    throw new EnvError(
      [
        'ROUTES_FILE names policies that are not there:',
        ...unknown.map(({ name, then }) => `  ${name}: ${then.policy}`),
      ].join('\n'),
    )
  return {
    door,
    redisUrl: door.REDIS_URL,
    host: door.HOST,
    port: door.PORT,
    lanes: door.LANES,
    webOn: own.WEB_SEARCH !== 'off',
    models: describeModels(models),
    policies,
    marked: own.MARKED_ANSWERS,
    casesDays: own.CASES_DAYS,
    auditDays: own.AUDIT_DAYS,
    oidc: oidcOf(oidc),
    fourEyes: own.FOUR_EYES,
    threads: own.THREADS,
    clientWaitSeconds: own.CLIENT_WAIT_SECONDS,
    rules: own.ROUTES_FILE,
    corsOrigins: own.CORS_ORIGINS,
    ...(own.PUBLIC_URL !== undefined && { publicUrl: own.PUBLIC_URL }),
    trustedProxies: own.TRUSTED_PROXIES,
    dailyCents: door.TENANT_CENTS_PER_DAY,
    dailyTokens: door.TENANT_TOKENS_PER_DAY,
    weights: own.TENANT_WEIGHTS,
    ...(own.TENANT_ASKS_PER_MINUTE && { asksPerMinute: own.TENANT_ASKS_PER_MINUTE }),
    ...(own.TENANT_READS_PER_MINUTE && { readsPerMinute: own.TENANT_READS_PER_MINUTE }),
    ...(own.KEY_READS_PER_MINUTE !== undefined && { keyReadsPerMinute: own.KEY_READS_PER_MINUTE }),
    runsAtOnce: own.TENANT_RUNS_AT_ONCE,
    ...(own.KEY_ASKS_PER_MINUTE !== undefined && { keyAsksPerMinute: own.KEY_ASKS_PER_MINUTE }),
    ...(own.MAX_QUEUE_SECONDS > 0 && { mostQueuedMs: own.MAX_QUEUE_SECONDS * 1_000 }),
    dataDir: door.DATA_DIR,
    documents,
    maxFileBytes: own.MAX_FILE_MB * 1_000_000,
    allowed: own.ALLOW_PRIVATE_ADDRESSES,
    sourceOptions: sourceOptionsOf(own),
    ...(door.API_KEYS !== undefined && { apiKeys: door.API_KEYS }),
  }
}
