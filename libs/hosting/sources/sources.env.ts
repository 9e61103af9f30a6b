import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { AllowedAddresses } from '@plumbline/adapters/fetching/target'
import { SourceCredentials, type SourceOptions } from '@plumbline/adapters/sources/options'
import { list } from '@plumbline/platform/env'
import { parse } from 'yaml'

/** By tenant, `*` for all of them. */
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
    'write it as /data/shared,acme=/data/acme: folders from / on, each for all tenants or for one',
  )

const Credentials = z.record(z.string(), z.record(z.string(), SourceCredentials))
const shape = 'tenant, or "*" for all; below it names; below each the fields that docs/documents.md lists'

const credentials = z
  .string()
  .optional()
  .transform((file, ctx): ByTenant<Record<string, SourceCredentials>> => {
    if (file === undefined) return []
    const fault = (message: string) => {
      ctx.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    try {
      const read = Credentials.safeParse(parse(readFileSync(file, 'utf8')))
      if (read.success) return Object.entries(read.data).map(([tenant, own]) => ({ tenant, own }))
      // What stands in the file is secret: only its places are told.
      const places = read.error.issues.map(({ path }) => path.join('.') || 'the file')
      return fault(`${places.join(', ')} cannot be read: write ${shape}`)
    } catch (error) {
      return fault(
        `${file} cannot be read as YAML or JSON (${error instanceof Error && 'code' in error ? String(error.code) : 'it is neither'})`,
      )
    }
  })

/** What an operator allows sources of documents to reach; gateway and ingestor both read it. */
export const SourcesEnv = z.object({
  /** Folders below which sources may lie, each as /data/docs for all tenants or as acme=/data/acme for one. */
  SOURCE_FOLDERS: folders,
  /** A YAML or JSON file of credentials that sources name: by tenant, then by name. */
  SOURCE_CREDENTIALS_FILE: credentials,
  ALLOW_PRIVATE_ADDRESSES: AllowedAddresses,
})
export type SourcesEnv = z.infer<typeof SourcesEnv>

/** What the sources of a tenant may reach. */
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
