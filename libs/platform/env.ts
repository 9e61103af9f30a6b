import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { faultOfRedisUrl } from './redis-url'

/** Returns the items between commas. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
export const Concurrency = z.coerce.number().int().min(1).max(1_000)
export const TimeoutMs = z.coerce.number().int().min(100).max(3_600_000)
/** `*=500,acme=2000`: a figure by tenant; `*` is for all others. */
export const byTenant = (what: string, isRight: (figure: number) => boolean = () => true) =>
  z.string().transform((text, ctx) => {
    const pairs = list(text).map((pair) => /^(.+)=(\d+(?:\.\d+)?)$/.exec(pair))
    if (pairs.every((pair) => pair !== null && isRight(Number(pair[2]))))
      return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]))
    ctx.addIssue({
      code: 'custom',
      message: `write it as *=500,acme=2000: a tenant, or * for all others, and ${what}`,
    })
    return z.NEVER
  })
/** The public URL of the app, without a slash at its end. */
export const PublicUrl = z
  .url({ protocol: /^https?$/, error: 'write it as https://host, as people open the app' })
  .transform((url) => url.replace(/\/+$/, ''))
const noPort = 'write a port from 0 to 65535; 0 takes a free one'
const port = z.coerce.number(noPort).int(noPort).min(0, noPort).max(65_535, noPort)

/** Settings of every app. */
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
  TENANT_CENTS_PER_DAY: byTenant('cents a day').default({}),
  TENANT_TOKENS_PER_DAY: byTenant('tokens a day').default({}),
  /** A Qdrant server for the passages. Without one they are in a file under DATA_DIR. */
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
  /** How long a stopping app lets its tasks finish before it hands them back. */
  DRAIN_MS: z.coerce.number().int().min(0).max(600_000).default(20_000),
})

export type BaseEnv = z.infer<typeof BaseEnv>

/** Additional settings of an app that serves HTTP. */
export const EntryEnv = BaseEnv.extend({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3_000),
  API_KEYS: z.string().optional(),
})
export type EntryEnv = z.infer<typeof EntryEnv>

/** Settings of every worker. Health port 0 uses a free one and logs it. */
export const WorkerEnv = BaseEnv.extend({
  HOST: z.string().default('127.0.0.1'),
  HEALTH_PORT: port.default(0),
  /** Concurrent tasks per queue and lane. Without it, each stage's own limit applies. */
  CONCURRENCY: Concurrency.optional(),
  /**
   * Cached data. `off`: none. `queries`: vectors and rankings. `on`: search results too. `answers`: released answers
   * too, if the vectors are a model's.
   */
  CACHE: z.enum(['off', 'queries', 'on', 'answers'], { error: 'use off, queries, on or answers' }).default('on'),
})
export type WorkerEnv = z.infer<typeof WorkerEnv>

/** Thrown with all faults of the settings at once, for the person who starts the app. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
}

const said = (issue: z.core.$ZodIssue): string => `  ${issue.path.join('.') || 'environment'}: ${issue.message}`

/** An empty variable counts as unset, because compose files and charts pass an empty text for a missing value. */
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

/** Returns a secret by its name, or from the file in NAME_FILE, so that it need not be in the environment. */
export const secretOf = (source: Source, name: string): string | undefined => {
  const { [name]: value, [`${name}_FILE`]: file } = givenBy(source)
  if (file === undefined) return value
  if (value !== undefined) throw new EnvError(`${name}: is set twice, also by ${name}_FILE: remove one of them`)
  return heldIn(file, `${name}_FILE`)
}

/** Settings with a secret: every key, the Redis URL with its password, and the headers for trace receivers. */
const ofSecret =
  /^(REDIS_URL|\w*API_KEYS?|S3_ACCESS_KEY_ID|S3_SECRET_ACCESS_KEY|OTEL_EXPORTER_OTLP_(?:TRACES_)?HEADERS)_FILE$/

/** Returns the settings with secrets from files, and the faults of these files. */
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

/** Reads several parts of the environment and reports all their faults at once. */
export const readEnvs = <S extends z.ZodType[]>(schemas: [...S], source: Source = process.env): Outputs<S> => {
  const { given, faults: ofFiles } = withSecrets(source)
  const reads = schemas.map((schema) => schema.safeParse(given))
  const faults = [...new Set([...ofFiles, ...reads.flatMap(({ error }) => error?.issues.map(said) ?? [])])]
  if (faults.length > 0)
    throw new EnvError(
      [`The environment has ${faults.length === 1 ? 'one fault' : `${faults.length} faults`}:`, ...faults].join('\n'),
    )
  return reads.map(({ data }) => data) as Outputs<S>
}

export const readEnv = <S extends z.ZodType>(schema: S, source: Source = process.env): z.output<S> =>
  readEnvs([schema], source)[0]
