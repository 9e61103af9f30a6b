import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { secretOf } from '@plumbline/platform/env'
import { readYaml } from '@plumbline/platform/yaml-file'

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
    pattern: z.string().min(1).refine(isPattern, 'is not a valid regular expression').optional(),
    values: z.array(z.string().min(1)).min(1).optional(),
  })
  .refine(
    ({ pattern, values }) => pattern !== undefined || values !== undefined,
    'give a pattern or values, because a free value is not allowed',
  )

const shared = {
  name,
  description: z.string().min(1).max(300),
  tenants: z.array(z.string().min(1)).min(1, 'name the tenants that may use it'),
  collections: z.array(z.string().min(1)).min(1, 'name its collections'),
  params: z.array(Param).max(10).default([]),
  timeoutMs: z.number().int().min(50).max(30_000).default(3_000),
  maxRows: z.number().int().min(1).max(200).default(50),
}

const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g
/** Looks like a single SELECT. SQLite itself rejects any other statement when the query runs. */
const isOneSelect = (query: string): boolean => {
  const bare = query.replace(quoted, ' ').trim().replace(/;\s*$/, '')
  return /^(?:select|with)\b/i.test(bare) && !bare.includes(';')
}

const namesInQuery = (query: string): string[] =>
  Array.from(query.replace(quoted, ' ').matchAll(/[:@$]([a-z_]\w*)/gi), ([, found = '']) => found)
const namesInUrl = (url: string): string[] => Array.from(url.matchAll(/\{(\w+)\}/g), ([, found = '']) => found)

const SqlLookup = z.strictObject({
  kind: z.literal('sql'),
  ...shared,
  file: z.string().min(1),
  query: z.string().min(1).refine(isOneSelect, 'write exactly one SELECT statement'),
})

/** Placeholders are allowed only in the path and the query. */
const hasFixedHost = (url: string): boolean =>
  /^https?:\/\/[^/{}?#@\s]+(?:[/?]|$)/.test(url) && URL.canParse(url.replace(/\{\w+\}/g, 'x'))

const HttpLookup = z.strictObject({
  kind: z.literal('http'),
  ...shared,
  url: z.string().refine(hasFixedHost, 'write http(s)://host/… with {names} in the path or the query only'),
  /** A value `$NAME` is replaced by the variable NAME, or by the content of the file that NAME_FILE names. */
  headers: z.record(z.string(), z.string()).default({}),
  rows: z
    .string()
    .regex(/^\w+(?:\.\w+)*$/, 'write it as data.items')
    .optional(),
})

const gapsOf = (lookup: z.infer<typeof SqlLookup> | z.infer<typeof HttpLookup>): string[] =>
  lookup.kind === 'sql' ? namesInQuery(lookup.query) : namesInUrl(lookup.url)

const Declared = z.discriminatedUnion('kind', [SqlLookup, HttpLookup]).superRefine((lookup, context) => {
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

const fromEnvironment = (
  headers: Record<string, string>,
  env: Record<string, string | undefined>,
  missing: (name: string) => void,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([header, value]) => {
      const wanted = /^\$([A-Z_][A-Z0-9_]*)$/.exec(value)?.[1]
      if (wanted === undefined) return [header, value]
      const secret = secretOf(env, wanted)
      if (secret === undefined) missing(wanted)
      return [header, secret ?? '']
    }),
  )

export const readLookups = (file: string, env: Record<string, string | undefined> = process.env): DeclaredLookup[] => {
  const read = readYaml(file, LookupsFile, (what, cause) => new Error(`${file} ${what}`, { cause }))
  const missing: string[] = []
  const lookups = read.lookups.map((lookup) =>
    lookup.kind === 'sql'
      ? { ...lookup, file: resolve(dirname(file), lookup.file) }
      : { ...lookup, headers: fromEnvironment(lookup.headers, env, (name) => void missing.push(name)) },
  )
  if (missing.length > 0)
    throw new Error(
      `${file} uses ${[...new Set(missing)].map((name) => `$${name}`).join(', ')}, which is not set in the environment`,
    )
  return lookups
}
