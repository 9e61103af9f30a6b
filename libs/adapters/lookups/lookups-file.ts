import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { secretOf } from '@plumbline/platform/env'
import { readYaml } from '@plumbline/platform/yaml-file'
import type { DescribedLookup } from '@plumbline/ports/lookup'
import { bareQuery, namesInBody, namesInSqlite, namesInUrl, numberedParams } from './placeholders'
import { connectionFault } from './postgres-connection'

const name = z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'use lower-case letters, digits and dashes')
const isPattern = (text: string): boolean => {
  try {
    return new RegExp(`^(?:${text})$`, 'u').test('') || true
  } catch {
    return false
  }
}

const Param = z
  .strictObject({
    name: z.string().regex(/^[a-z_][a-z0-9_]{0,40}$/i, 'use letters, digits and _'),
    description: z.string().min(1),
    type: z.enum(['integer', 'number', 'date']).optional(),
    pattern: z.string().min(1).refine(isPattern, 'is not a valid regular expression').optional(),
    values: z.array(z.string().min(1)).min(1).optional(),
  })
  .refine(
    ({ type, pattern, values }) => type !== undefined || pattern !== undefined || values !== undefined,
    'give a type, a pattern or values, because free text is not allowed',
  )

const shared = {
  name,
  description: z.string().min(1).max(300),
  tenants: z.array(z.string().min(1)).min(1, 'name the tenants that may use the lookup'),
  collections: z.array(z.string().min(1)).min(1, 'name the collections of the lookup'),
  params: z.array(Param).max(10).default([]),
  timeoutMs: z.number().int().min(50).max(30_000).default(3_000),
  maxRows: z.number().int().min(1).max(200).default(50),
}

/** Reports mistakes before the first query. The database itself also accepts only a single SELECT statement. */
const isOneSelect = (query: string): boolean => {
  const bare = bareQuery(query).trim().replace(/;\s*$/, '')
  return /^(?:select|with)\b/i.test(bare) && !bare.includes(';')
}
const query = z.string().min(1).refine(isOneSelect, 'write exactly one SELECT statement')

const SqlLookup = z.strictObject({
  kind: z.literal('sql'),
  ...shared,
  file: z.string().min(1),
  query,
})

const variable = /^\$([A-Z_][A-Z0-9_]*)$/

const PostgresLookup = z.strictObject({
  kind: z.literal('postgres'),
  ...shared,
  /**
   * The name of an environment variable, written as `$NAME`. The file must not contain the connection string itself,
   * because the string contains a password.
   */
  connection: z
    .string()
    .regex(variable, 'write $NAME, and set NAME or NAME_FILE to postgres://user:password@host:5432/database'),
  query,
})

/** Placeholders are allowed only in the path and the query of the URL, so that a value cannot change the host. */
const hasFixedHost = (url: string): boolean =>
  /^https?:\/\/[^/{}?#@\s]+(?:[/?]|$)/.test(url) && URL.canParse(url.replace(/\{\w+\}/g, 'x'))

const HttpLookup = z.strictObject({
  kind: z.literal('http'),
  ...shared,
  url: z.string().refine(hasFixedHost, 'write http(s)://host/… with {names} in the path or the query only'),
  /**
   * A value `$NAME` is replaced with the environment variable NAME, or with the content of the file that NAME_FILE
   * names.
   */
  headers: z.record(z.string(), z.string()).default({}),
  /**
   * A string that is exactly `{name}` is replaced with the value of this parameter. With a body, the request is a POST.
   * Without a body, it is a GET.
   */
  body: z.json().optional(),
  rows: z
    .string()
    .regex(/^\w+(?:\.\w+)*$/, 'write it as data.items')
    .optional(),
})

const Kinds = z.discriminatedUnion('kind', [SqlLookup, PostgresLookup, HttpLookup])

const gapsOf = (lookup: z.infer<typeof Kinds>): string[] => {
  if (lookup.kind === 'http') return [...namesInUrl(lookup.url), ...namesInBody(lookup.body ?? null)]
  return lookup.kind === 'sql' ? namesInSqlite(lookup.query) : numberedParams(lookup.query).names
}

const Declared = Kinds.superRefine((lookup, context) => {
  const [gaps, params] = [gapsOf(lookup), lookup.params.map((param) => param.name)]
  const say = (message: string): void => context.addIssue({ code: 'custom', path: ['params'], message })
  gaps.filter((gap) => !params.includes(gap)).forEach((gap) => say(`“${gap}” is used, but no parameter has that name`))
  params.filter((param) => !gaps.includes(param)).forEach((param) => say(`“${param}” is not used`))
})
export type DeclaredLookup = z.infer<typeof Declared>

const LookupsFile = z.strictObject({ lookups: z.array(Declared) }).superRefine(({ lookups }, context) => {
  const names = lookups.map((lookup) => lookup.name)
  names
    .filter((each, at) => names.indexOf(each) !== at)
    .forEach((twice) =>
      context.addIssue({
        code: 'custom',
        path: ['lookups'],
        message: `“${twice}” is the name of two lookups: rename one of them`,
      }),
    )
})

type Secret = (text: string) => string

const secretsOf = (env: Record<string, string | undefined>, missing: (name: string) => void): Secret => {
  const secretFor = (name: string): string => {
    const secret = secretOf(env, name)
    if (secret === undefined) missing(name)
    return secret ?? ''
  }
  return (text) => {
    const name = variable.exec(text)?.[1]
    return name === undefined ? text : secretFor(name)
  }
}

const connectionOf = (name: string, secret: Secret): string => {
  const connection = secret(name)
  const fault = connection === '' ? null : connectionFault(connection)
  if (fault !== null) throw new Error(`${name} ${fault}`)
  return connection
}

const withSecrets = (lookup: DeclaredLookup, secret: Secret): DeclaredLookup => {
  if (lookup.kind === 'sql') return lookup
  if (lookup.kind === 'postgres') return { ...lookup, connection: connectionOf(lookup.connection, secret) }
  const headers = Object.entries(lookup.headers).map(([header, value]) => [header, secret(value)])
  return { ...lookup, headers: Object.fromEntries(headers) }
}

const parsed = (file: string): DeclaredLookup[] =>
  readYaml(file, LookupsFile, (what, cause) => new Error(`${file} ${what}`, { cause })).lookups.map((lookup) =>
    lookup.kind === 'sql' ? { ...lookup, file: resolve(dirname(file), lookup.file) } : lookup,
  )

export const readLookups = (file: string, env: Record<string, string | undefined> = process.env): DeclaredLookup[] => {
  const missing: string[] = []
  const secret = secretsOf(env, (name) => void missing.push(name))
  const lookups = parsed(file).map((lookup) => withSecrets(lookup, secret))
  if (missing.length > 0)
    throw new Error(
      `${file} uses ${[...new Set(missing)].map((name) => `$${name}`).join(', ')}, which is not set in the environment`,
    )
  return lookups
}

export const readLookupCards = (file: string): DescribedLookup[] =>
  parsed(file).map(({ name, description, params, tenants, collections }) => ({
    name,
    description,
    params,
    tenants,
    collections,
  }))
