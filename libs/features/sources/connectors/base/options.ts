import { z } from 'zod'
import type { Guard } from '@plumbline/adapters/fetching/target'

/** If `buckets` is set, the credentials may be used only for these buckets. */
const S3Credentials = z.strictObject({
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  buckets: z.array(z.string().min(1)).min(1).optional(),
})
export type S3Credentials = z.infer<typeof S3Credentials>

/** The token is sent only to URLs that begin with `url`. Otherwise a source could send the token to any server. */
const GitCredentials = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'write it as https://host/path' }),
  token: z.string().min(1),
  username: z.string().min(1).optional(),
})
export type GitCredentials = z.infer<typeof GitCredentials>

/** The operator stores credentials under a name, and the settings of a source contain this name. */
export const SourceCredentials = z.union([S3Credentials, GitCredentials])
export type SourceCredentials = z.infer<typeof SourceCredentials>

/** If a limit is exceeded, either the whole list fails or one file is skipped. */
export type SourceLimits = {
  files: number
  fileBytes: number
  /** The maximum size of all files together. For git, also the maximum amount of data that the server may send. */
  bytes: number
  listMs: number
  readMs: number
}

export const sourceLimits: SourceLimits = {
  files: 100_000,
  fileBytes: 100_000_000,
  bytes: 20_000_000_000,
  listMs: 1_800_000,
  readMs: 120_000,
}

/** `Guard` checks the URLs of sources, because these URLs are untrusted. */
export type SourceOptions = Guard & {
  /** The folders that sources may read. If `folders` is missing, folder sources are not allowed. */
  folders?: string[]
  /** The credentials that the creator of the source may use. */
  credentials?: Record<string, SourceCredentials>
  limits?: Partial<SourceLimits>
}

export type SourceOptionsOf = (tenant: string) => SourceOptions
