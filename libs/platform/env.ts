import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { faultOfRedisUrl } from './redis-url'
import { setting } from './setting'

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
export const Flag = z.enum(['true', 'false'], { error: 'use true or false' }).transform((word) => word === 'true')
export const Concurrency = z.coerce.number().int().min(1).max(1_000)
export const TimeoutMs = z.coerce.number().int().min(100).max(3_600_000)
/** Reads numbers for tenants, such as `*=500,acme=2000`. The number of `*` is for every tenant that is not listed. */
export const byTenant = (what: string, isRight: (figure: number) => boolean = () => true) =>
  z.string().transform((text, ctx) => {
    const pairs = list(text).map((pair) => /^(.+)=(\d+(?:\.\d+)?)$/.exec(pair))
    if (pairs.every((pair) => pair !== null && isRight(Number(pair[2]))))
      return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]))
    ctx.addIssue({
      code: 'custom',
      message: `write it as *=500,acme=2000: a tenant, or * for all others, and ${what} after each =`,
    })
    return z.NEVER
  })
const AppUrl = z
  .url({ protocol: /^https?$/, error: 'write the address at which people open the app, such as https://host' })
  .transform((url) => url.replace(/\/+$/, ''))
export const PublicUrl = setting(AppUrl.optional(), {
  about:
    'the public address of the web app, such as `https://plumbline.example`. It is used for links in webhooks and in responses to OpenAI and MCP clients; gateway and ingestor read it',
  default: 'the host of the request',
  example: 'https://plumbline.example.org',
})
const noPort = 'write a port from 0 to 65535; with 0, a free port is used'
const port = z.coerce.number(noPort).int(noPort).min(0, noPort).max(65_535, noPort)

const RedisUrl = z.string().superRefine((url, ctx) => {
  const message = faultOfRedisUrl(url)
  if (message !== null) ctx.addIssue({ code: 'custom', message })
})
const Lanes = z
  .array(z.string().regex(/^[a-z0-9-]+$/, 'use lower-case letters, digits and dashes'))
  .min(1, 'name at least one lane')
const QdrantUrl = z.string().regex(/^https?:\/\/[^/\s]+/, 'write it as http://host:6333')
const QdrantPrefix = z.string().regex(/^[a-z0-9-]{1,40}$/, 'use lower-case letters, digits and dashes')

const BaseEnv = z.object({
  REDIS_URL: setting(RedisUrl.default('redis://127.0.0.1:6379'), {
    about: 'one Redis, a Cluster, or the master of sentinels, with or without TLS: [addresses](run/redis.md#addresses)',
  }),
  DATA_DIR: setting(z.string().default('.data'), { about: 'folder of the index and the documents' }),
  LANES: setting(z.string().default('main').transform(list).pipe(Lanes), {
    about: 'names of the sets of job queues, separated by commas: [lanes](run/redis.md#lanes)',
  }),
  HOST: setting(z.string().default('127.0.0.1'), {
    about: 'address of the gateway (any other than a loopback address needs keys or tokens)',
  }),
  TENANT_CENTS_PER_DAY: setting(byTenant('the cents per day').default({}), {
    about: 'the cents that a tenant may spend on a UTC day: `*=500,acme=2000`',
    example: '*=1000000',
  }),
  TENANT_TOKENS_PER_DAY: setting(byTenant('the tokens per day').default({}), {
    about: 'the same in tokens; gateway and workers read both',
    example: '*=1000000000',
  }),
  QDRANT_URL: setting(QdrantUrl.optional(), {
    about: 'a [Qdrant](run/storage.md#qdrant) server for the passages, instead of a file in `DATA_DIR`',
  }),
  QDRANT_API_KEY: setting(z.string().optional(), { about: 'its key' }),
  QDRANT_PREFIX: setting(QdrantPrefix.default('plumbline'), { about: 'the prefix of its collections' }),
  QDRANT_QUANTISATION: setting(z.enum(['none', 'scalar', 'binary']).default('none'), {
    about:
      'the compression of its vectors: `none`, `scalar` or `binary`. Researcher, ingestor and gateway read all four',
  }),
  LOG_LEVEL: setting(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'), {
    about: 'the lowest level of written log lines. No level logs texts of questions, documents, drafts or decisions',
  }),
  DRAIN_MS: setting(z.coerce.number().int().min(0).max(600_000).default(20_000), {
    about: 'how long a [stopping](run/processes.md#stopping) process lets its tasks finish',
  }),
})

export type BaseEnv = z.infer<typeof BaseEnv>

export const EntryEnv = BaseEnv.extend({
  PORT: setting(port.default(3_000), { about: 'its port' }),
  API_KEYS: setting(z.string().optional(), {
    about:
      '`key:tenant:role[+role][:tag[+tag]]`, separated by commas or lines ([keys](run/keys.md#keys-of-the-settings))',
  }),
})
export type EntryEnv = z.infer<typeof EntryEnv>

const CacheLevel = z.enum(['off', 'queries', 'on', 'answers'], { error: 'use off, queries, on or answers' })

export const WorkerEnv = BaseEnv.extend({
  HEALTH_PORT: setting(port.default(0), {
    about: 'the port on which a worker answers [`/livez`, `/readyz` and `/metrics`](run/processes.md#health)',
    default: 'a free one',
  }),
  CONCURRENCY: setting(Concurrency.optional(), {
    about: 'concurrent tasks per queue. A stage that uses no model works on one task at a time',
    default: 'by stage',
  }),
  CACHE: setting(CacheLevel.default('on'), {
    about: 'which results workers [cache](understand/retrieval.md#caches): `off`, `queries`, `on` or `answers`',
  }),
})
export type WorkerEnv = z.infer<typeof WorkerEnv>

export class EnvError extends Error {
  override readonly name = 'EnvError'
}

const issueText = (issue: z.core.$ZodIssue): string => `  ${issue.path.join('.') || 'environment'}: ${issue.message}`

/** Removes empty variables. Compose files and charts pass an empty text for a value that is not set. */
const givenBy = (source: Source): Source =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== ''))

type Source = Record<string, string | undefined>

const heldIn = (file: string, name: string): string => {
  try {
    const text = readFileSync(file, 'utf8').trim()
    if (text !== '') return text
  } catch (error) {
    throw new EnvError(`${name}: cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new EnvError(`${name}: ${file} is empty`)
}

/** Returns the secret in the variable `name`, or in the file whose path is in the variable `name` with `_FILE`. */
export const secretOf = (source: Source, name: string): string | undefined => {
  const { [name]: value, [`${name}_FILE`]: file } = givenBy(source)
  if (file === undefined) return value
  if (value !== undefined) throw new EnvError(`${name}: is also set by ${name}_FILE: remove one of the two settings`)
  return heldIn(file, `${name}_FILE`)
}

/** Matches variables that name a file with a secret. REDIS_URL_FILE is one, because the URL contains a password. */
const ofSecret =
  /^(REDIS_URL|\w*API_KEYS?|S3_ACCESS_KEY_ID|S3_SECRET_ACCESS_KEY|OTEL_EXPORTER_OTLP_(?:TRACES_)?HEADERS)_FILE$/

const withSecrets = (source: Source): { given: Source; faults: string[] } => {
  const given = givenBy(source)
  const faults: string[] = []
  for (const name of Object.keys(given).flatMap((each) => ofSecret.exec(each)?.[1] ?? [])) {
    try {
      given[name] = secretOf(source, name)
    } catch (error) {
      faults.push(`  ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { given, faults }
}

type Outputs<S extends z.ZodType[]> = { [N in keyof S]: z.output<S[N]> }

export const readEnvs = <S extends z.ZodType[]>(schemas: [...S], source: Source = process.env): Outputs<S> => {
  const { given, faults: ofFiles } = withSecrets(source)
  const reads = schemas.map((schema) => schema.safeParse(given))
  const faults = [...new Set([...ofFiles, ...reads.flatMap(({ error }) => error?.issues.map(issueText) ?? [])])]
  if (faults.length > 0)
    throw new EnvError(
      [`The environment has ${faults.length === 1 ? 'one error' : `${faults.length} errors`}:`, ...faults].join('\n'),
    )
  return reads.map(({ data }) => data) as Outputs<S>
}

export const readEnv = <S extends z.ZodType>(schema: S, source: Source = process.env): z.output<S> =>
  readEnvs([schema], source)[0]
