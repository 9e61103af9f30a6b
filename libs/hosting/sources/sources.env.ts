import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { SourceCredentials, type SourceOptions } from '@plumbline/adapters/sources/options'
import { list } from '@plumbline/platform/env'
import { parse } from 'yaml'

/** By tenant, or `*` for all of them. */
type ByTenant<T> = { tenant: string; own: T }[]

const folders = z
  .string()
  .default('')
  .transform((text): ByTenant<string> =>
    list(text).map((entry) => {
      const [, tenant = '*', folder = entry] = /^([a-z0-9*-]+)=(.+)$/.exec(entry) ?? []
      return { tenant, own: folder }
    }),
  )
  .refine(
    (all) => all.every(({ own }) => own.startsWith('/')),
    'write it as /data/shared,acme=/data/acme: absolute folders, each for all tenants or for one',
  )

const Credentials = z.record(z.string(), z.record(z.string(), SourceCredentials))
const shape =
  'write it by tenant, or "*" for all, and below it by name: accessKeyId and secretAccessKey (and buckets) for S3, url and token (and username) for git'

/** Describes a fault of the file by its names only, because the values are secrets. */
const faultIn = (file: string, error: unknown): string => {
  if (error instanceof z.ZodError) {
    const places = error.issues.map(({ path }) => path.join('.') || 'the file')
    return `${file}: ${places.join(', ')} cannot be read: ${shape}`
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return `there is no file ${file}: name one, or leave the setting out`
  if (/^E[A-Z]+$/.test(code)) return `${file} cannot be read (${code}): name a file that this process may read`
  return `${file} is neither YAML nor JSON: ${shape}`
}

const credentials = z
  .string()
  .optional()
  .transform((file, ctx): ByTenant<Record<string, SourceCredentials>> => {
    if (file === undefined) return []
    try {
      // Warnings would print the line they refer to, with its secret.
      const read = Credentials.parse(parse(readFileSync(file, 'utf8'), { logLevel: 'error' }))
      return Object.entries(read).map(([tenant, own]) => ({ tenant, own }))
    } catch (error) {
      ctx.addIssue({ code: 'custom', message: faultIn(file, error) })
      return z.NEVER
    }
  })

/** The operator's limits for document sources, read by gateway and ingestor. */
export const SourcesEnv = z.object({
  /** Parent folders of folder sources, as /data/docs for all tenants or as acme=/data/acme for one. */
  SOURCE_FOLDERS: folders,
  /** A YAML or JSON file of credentials for sources: by tenant, then by name. */
  SOURCE_CREDENTIALS_FILE: credentials,
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export type SourcesEnv = z.infer<typeof SourcesEnv>

/** Returns the source options of a tenant. */
export const sourceOptionsOf =
  ({ SOURCE_FOLDERS: roots, SOURCE_CREDENTIALS_FILE: held, ALLOW_PRIVATE_ADDRESSES: allowed }: SourcesEnv) =>
  (of: string): SourceOptions => {
    const isFor = ({ tenant }: { tenant: string }): boolean => tenant === '*' || tenant === of
    const own = held.filter(isFor).sort((a, b) => (a.tenant === '*' ? -1 : 1) - (b.tenant === '*' ? -1 : 1))
    return {
      folders: roots.filter(isFor).map(({ own }) => own),
      credentials: Object.assign({}, ...own.map((one) => one.own)) as Record<string, SourceCredentials>,
      allowed,
    }
  }
