import { z } from 'zod'
import { givenId, plainText } from './text'

const path = plainText.min(1, 'write a path').max(1_000, '1,000 characters at most')
const inside = plainText
  .max(1_000, '1,000 characters at most')
  .refine((text) => !text.split(/[/\\]/).includes('..'), 'write the path without ..')
const address = z.url({ protocol: /^https?$/, error: 'write it as https://host/path' }).max(2_000)
/** The name of credentials that the operator holds. */
const credentials = givenId

export const FolderSettings = z.strictObject({ kind: z.literal('folder'), path })
export type FolderSettings = z.infer<typeof FolderSettings>

export const S3Settings = z.strictObject({
  kind: z.literal('s3'),
  bucket: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/, 'write the name of a bucket: letters, digits, . - and _'),
  prefix: inside.optional(),
  region: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'write a region as eu-central-1')
    .optional(),
  /** A server that speaks S3; without one it is Amazon's. */
  endpoint: address.optional(),
  /** The bucket stands in the path of the address and not in its host; so it is by default where an endpoint is named. */
  pathStyle: z.boolean().optional(),
  credentials: credentials.optional(),
})
export type S3Settings = z.infer<typeof S3Settings>

export const WebsiteSettings = z.strictObject({
  kind: z.literal('website'),
  url: address,
  /** How many links away from the start page a page may be, where the site has no sitemap. */
  depth: z.number().int().min(0).max(10, '10 at most').default(3),
  /** How many pages are brought at most. */
  pages: z.number().int().min(1).max(10_000, '10,000 pages at most').default(500),
  /** Paths that begin like one of these are left out; `*` stands for any text and `$` for the end. */
  exclude: z
    .array(z.string().regex(/^\/[!-~]{0,299}$/, 'write it as it stands in the address: /blog/ or /*.zip$'))
    .max(50, '50 at most')
    .default([]),
})
export type WebsiteSettings = z.infer<typeof WebsiteSettings>

export const GitSettings = z.strictObject({
  kind: z.literal('git'),
  url: address,
  /** The repository's own default where none is named. */
  branch: z
    .string()
    .regex(
      /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)))[A-Za-z0-9_][\w./+@#-]{0,199}(?<![/.])$/,
      'write the name of a branch',
    )
    .optional(),
  /** A folder of the repository. */
  path: inside.optional(),
  credentials: credentials.optional(),
})
export type GitSettings = z.infer<typeof GitSettings>

/** Where documents are fetched from and kept in step with. */
export const SourceSettings = z.discriminatedUnion('kind', [FolderSettings, S3Settings, WebsiteSettings, GitSettings])
export type SourceSettings = z.infer<typeof SourceSettings>

export const placeOfSource = (settings: SourceSettings): string => {
  switch (settings.kind) {
    case 'folder':
      return settings.path
    case 's3':
      return `s3://${settings.bucket}/${settings.prefix ?? ''}`
    case 'website':
    case 'git':
      return settings.url
  }
}
