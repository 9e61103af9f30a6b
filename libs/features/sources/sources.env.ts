import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { SourceCredentials, type SourceOptionsOf } from './connectors/base/options'
import { list } from '@plumbline/platform/env'
import { setting } from '@plumbline/platform/setting'
import { parse } from 'yaml'

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
    'write it as /data/shared,acme=/data/acme: absolute paths of folders, each for all tenants or for one tenant',
  )

const Credentials = z.record(z.string(), z.record(z.string(), SourceCredentials))
const shape =
  'list the credentials by tenant ("*" for all tenants) and then by name: accessKeyId and secretAccessKey (optionally buckets) for S3, url and token (optionally username) for git'

/** Explains why a credentials file cannot be read. Contains only field names, because the values are secrets. */
const faultIn = (file: string, error: unknown): string => {
  if (error instanceof z.ZodError) {
    const places = error.issues.map(({ path }) => path.join('.') || 'the file')
    return `${file}: ${places.join(', ')} cannot be read: ${shape}`
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return `there is no file ${file}: set the path of an existing file, or remove the setting`
  if (/^E[A-Z]+$/.test(code)) return `${file} cannot be read (${code}): give this process the right to read the file`
  return `${file} is neither YAML nor JSON: ${shape}`
}

const credentials = z
  .string()
  .optional()
  .transform((file, ctx): ByTenant<Record<string, SourceCredentials>> => {
    if (file === undefined) return []
    try {
      // Hide YAML warnings, because each warning prints a line of the file, which may contain a secret.
      const read = Credentials.parse(parse(readFileSync(file, 'utf8'), { logLevel: 'error' }))
      return Object.entries(read).map(([tenant, own]) => ({ tenant, own }))
    } catch (error) {
      ctx.addIssue({ code: 'custom', message: faultIn(file, error) })
      return z.NEVER
    }
  })

export const SourcesEnv = z.object({
  SOURCE_FOLDERS: setting(folders, {
    about:
      'folders that sources [may read](use/sources.md#what-the-operator-allows): `/data/docs` is for all tenants, `acme=/data/acme` for one; gateway and ingestor read it',
  }),
  SOURCE_CREDENTIALS_FILE: setting(credentials, {
    about:
      'a YAML or JSON file with the [credentials of sources](use/sources.md#what-the-operator-allows), by tenant and name; gateway and ingestor read it',
  }),
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export type SourcesEnv = z.infer<typeof SourcesEnv>

export const sourceOptionsOf =
  ({
    SOURCE_FOLDERS: roots,
    SOURCE_CREDENTIALS_FILE: held,
    ALLOW_PRIVATE_ADDRESSES: allowed,
  }: SourcesEnv): SourceOptionsOf =>
  (of) => {
    const isFor = ({ tenant }: { tenant: string }): boolean => tenant === '*' || tenant === of
    const own = held.filter(isFor).sort((a, b) => (a.tenant === '*' ? -1 : 1) - (b.tenant === '*' ? -1 : 1))
    return {
      folders: roots.filter(isFor).map(({ own }) => own),
      credentials: Object.assign({}, ...own.map((one) => one.own)) as Record<string, SourceCredentials>,
      allowed,
    }
  }
