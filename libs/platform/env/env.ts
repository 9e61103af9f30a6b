import { z } from 'zod'

const list = (text: string): string[] => text.split(',').map((item) => item.trim()).filter((item) => item !== '')
const port = z.coerce.number().int().min(0).max(65_535)

/** What every app reads. */
export const BaseEnv = z.object({
  /** Several addresses, separated by commas, name the nodes of a Redis Cluster. */
  REDIS_URL: z.string().default('redis://127.0.0.1:6379').refine((text) => list(text).every((url) => /^rediss?:\/\//.test(url)), 'write it as redis://host:port'),
  DATA_DIR: z.string().default('.data'),
  LANES: z.string().default('main').transform(list).pipe(z.array(z.string().regex(/^[a-z0-9-]+$/, 'use lower-case letters, digits and dashes')).min(1, 'name one lane at least')),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})
export type BaseEnv = z.infer<typeof BaseEnv>

/** What an app that listens for people or programs reads besides. */
export const DoorEnv = BaseEnv.extend({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3_000),
  API_KEYS: z.string().optional(),
})
export type DoorEnv = z.infer<typeof DoorEnv>

/** What every worker reads. Health port 0 takes a free one and logs it. */
export const WorkerEnv = BaseEnv.extend({
  HOST: z.string().default('127.0.0.1'),
  HEALTH_PORT: port.default(0),
  /** Tasks at once per stage and lane; without it each stage's own limit counts. */
  CONCURRENCY: z.coerce.number().int().min(1).max(1_000).optional(),
  /** How long a stopping worker lets its tasks finish before it hands them back. */
  DRAIN_MS: z.coerce.number().int().min(0).max(600_000).default(20_000),
})
export type WorkerEnv = z.infer<typeof WorkerEnv>

/** Bad settings, all of them at once, in words for the person who starts the app. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
}

const said = (issue: z.core.$ZodIssue): string => `  ${issue.path.join('.') || 'environment'}: ${issue.message}`

/** An empty variable counts as unset: that is what compose files and charts pass for a missing value. */
export const readEnv = <S extends z.ZodType>(schema: S, source: Record<string, string | undefined> = process.env): z.output<S> => {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const { issues } = read.error
  throw new EnvError([`The environment has ${issues.length === 1 ? 'one fault' : `${issues.length} faults`}:`, ...issues.map(said)].join('\n'))
}
