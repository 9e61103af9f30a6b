import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { faultOfRedisUrl } from './redis-url'

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
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
export const PublicUrl = z
  .url({ protocol: /^https?$/, error: 'write the address at which people open the app, such as https://host' })
  .transform((url) => url.replace(/\/+$/, ''))
const noPort = 'write a port from 0 to 65535; with 0, a free port is used'
const port = z.coerce.number(noPort).int(noPort).min(0, noPort).max(65_535, noPort)

const BaseEnv = z.object({
  REDIS_URL: z
    .string()
    .superRefine((url, ctx) => {
      const message = faultOfRedisUrl(url)
      if (message !== null) ctx.addIssue({ code: 'custom', message })
    })
    .default('redis://127.0.0.1:6379'),
  DATA_DIR: z.string().default('.data'),
  LANES: z
    .string()
    .default('main')
    .transform(list)
    .pipe(
      z
        .array(z.string().regex(/^[a-z0-9-]+$/, 'use lower-case letters, digits and dashes'))
        .min(1, 'name at least one lane'),
    ),
  TENANT_CENTS_PER_DAY: byTenant('the cents per day').default({}),
  TENANT_TOKENS_PER_DAY: byTenant('the tokens per day').default({}),
  /** The URL of the Qdrant server that stores the passages. Without it, they are stored in a file under DATA_DIR. */
  QDRANT_URL: z
    .string()
    .regex(/^https?:\/\/[^/\s]+/, 'write it as http://host:6333')
    .optional(),
  QDRANT_API_KEY: z.string().optional(),
  QDRANT_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'use lower-case letters, digits and dashes')
    .default('plumbline'),
  QDRANT_QUANTISATION: z.enum(['none', 'scalar', 'binary']).default('none'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** When the process stops, its tasks have this time in ms to finish. Unfinished tasks then go back to the queue. */
  DRAIN_MS: z.coerce.number().int().min(0).max(600_000).default(20_000),
})

export type BaseEnv = z.infer<typeof BaseEnv>

export const EntryEnv = BaseEnv.extend({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3_000),
  API_KEYS: z.string().optional(),
})
export type EntryEnv = z.infer<typeof EntryEnv>

/** The settings of a worker. If HEALTH_PORT is 0, the worker uses a free port and logs its number. */
export const WorkerEnv = BaseEnv.extend({
  HOST: z.string().default('127.0.0.1'),
  HEALTH_PORT: port.default(0),
  CONCURRENCY: Concurrency.optional(),
  /**
   * `queries` caches query vectors and the order of reranked passages. `on` also caches search results. `answers` also
   * caches answers, but only if a model makes the vectors.
   */
  CACHE: z.enum(['off', 'queries', 'on', 'answers'], { error: 'use off, queries, on or answers' }).default('on'),
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
