import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { WhenBusy } from '@plumbline/contracts'
import { policies as presets } from '@plumbline/flow'
import { describeModels } from '@plumbline/hosting/models/describe'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { RulesFromFile } from '@plumbline/hosting/routing/rules'
import { DoorEnv, EnvError, list, readEnvs } from '@plumbline/platform/env'
import { readPolicies } from './policies/policy-book'

const tenantNames = z.string().default('').transform(list)

const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text)
const origins = tenantNames.refine((all) => all.every(isOrigin), 'write origins as https://app.example.org, or *')

export const GatewayEnv = z.object({
  /** Which search it is, and its key, is the researcher's to know. */
  WEB_SEARCH: z.enum(['off', 'tavily', 'searxng']).default('off'),
  /** Files that are larger are refused before they are kept. */
  MAX_FILE_MB: z.coerce.number().int().min(1).max(2_000).default(100),
  /** A folder of YAML and JSON files, a policy each. */
  POLICIES_DIR: z.string().optional(),
  /** Tenants whose policies may be weaker than the hold; for all others what did not stand its check is parked. */
  MARKED_ANSWERS: tenantNames,
  /** Tenants where two people have to agree to a release; `*` for all. */
  FOUR_EYES: tenantNames,
  /** Two questions in one thread at once, where the second does not say: it waits for the first, is refused, or takes its place. */
  THREADS: WhenBusy.default('queue'),
  /** Cases hold texts of documents beyond their run: none is kept unless the operator says how long. */
  CASES_DAYS: z.coerce.number().int().min(0).max(3_650).default(0),
  /** Origins whose pages may call the API from a browser, or `*`. */
  CORS_ORIGINS: origins,
  /** The operator's routing rules; those that name a policy are followed here. */
  ROUTES_FILE: RulesFromFile,
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})

/** What a gateway reads of its environment, every fault of it told at once. */
export const readGatewayEnv = (source: Record<string, string | undefined> = process.env) => {
  const [door, models, own] = readEnvs([DoorEnv, ModelsEnv, GatewayEnv], source)
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
    fourEyes: own.FOUR_EYES,
    threads: own.THREADS,
    rules: own.ROUTES_FILE,
    corsOrigins: own.CORS_ORIGINS,
    dailyCents: door.TENANT_CENTS_PER_DAY,
    dataDir: door.DATA_DIR,
    maxFileBytes: own.MAX_FILE_MB * 1_000_000,
    allowed: own.ALLOW_PRIVATE_ADDRESSES,
    ...(door.API_KEYS !== undefined && { apiKeys: door.API_KEYS }),
  }
}
