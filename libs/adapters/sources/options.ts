import { z } from 'zod'
import type { Guard } from '../fetching/target'

/** For S3. With `buckets` they open these only. */
const S3Credentials = z.strictObject({
  accessKeyId: z.string().min(1),
  secretAccessKey: z.string().min(1),
  buckets: z.array(z.string().min(1)).min(1).optional(),
})
export type S3Credentials = z.infer<typeof S3Credentials>

/** For git. The token goes to addresses that begin with `url` only: whoever sets up a source names credentials and address alike. */
const GitCredentials = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'write it as https://host/path' }),
  token: z.string().min(1),
  username: z.string().min(1).optional(),
})
export type GitCredentials = z.infer<typeof GitCredentials>

/** What an operator holds under a name and a source's settings name. */
export const SourceCredentials = z.union([S3Credentials, GitCredentials])
export type SourceCredentials = z.infer<typeof SourceCredentials>

/** Above these a source is not listed, or a file of it not brought. */
export type SourceLimits = {
  files: number
  fileBytes: number
  /** All files of a list together; for git also what its server sends. */
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

/** What the operator allows; `allowed` and `resolve` are as for every address that strangers give. */
export type SourceOptions = Guard & {
  /** Sources of the kind folder lie in these; without any there are none. */
  folders?: string[]
  /** Only those that who set the source up may use. */
  credentials?: Record<string, SourceCredentials>
  limits?: Partial<SourceLimits>
}
