import { z } from 'zod'
import type { Guard } from '../fetching/target'

/** For S3. With `buckets`, they are valid only for these. */
const S3Credentials = z.strictObject({
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  buckets: z.array(z.string().min(1)).min(1).optional(),
})
export type S3Credentials = z.infer<typeof S3Credentials>

/**
 * For git. The token is sent only to URLs that begin with `url`, because the creator of a source chooses both
 * credentials and address.
 */
const GitCredentials = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'write it as https://host/path' }),
  token: z.string().min(1),
  username: z.string().min(1).optional(),
})
export type GitCredentials = z.infer<typeof GitCredentials>

/** Credentials that an operator stores under a name, which a source's settings refer to. */
export const SourceCredentials = z.union([S3Credentials, GitCredentials])
export type SourceCredentials = z.infer<typeof SourceCredentials>

/** Beyond these, a source is not listed, or a file is skipped. */
export type SourceLimits = {
  files: number
  fileBytes: number
  /** All files of a list together, and for git also the data that its server sends. */
  bytes: number
  /** For a whole list. */
  listMs: number
  /** For one request or one file. */
  readMs: number
}

export const sourceLimits: SourceLimits = {
  files: 100_000,
  fileBytes: 100_000_000,
  bytes: 20_000_000_000,
  listMs: 1_800_000,
  readMs: 120_000,
}

/** The operator's settings. `allowed` and `resolve` apply as for every untrusted URL. */
export type SourceOptions = Guard & {
  /** The allowed parents of folder sources. Without any, there are no folder sources. */
  folders?: string[]
  /** Only the credentials that the source's creator may use. */
  credentials?: Record<string, SourceCredentials>
  limits?: Partial<SourceLimits>
}
