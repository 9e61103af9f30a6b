import { z } from 'zod'
import { givenId, plainText } from './text'

const path = plainText.min(1, 'enter a path').max(1_000, 'use at most 1,000 characters')
const inside = plainText
  .max(1_000, 'use at most 1,000 characters')
  .refine((text) => !text.split(/[/\\]/).includes('..'), 'write the path without ..')
const address = z.url({ protocol: /^https?$/, error: 'write it as https://host/path' }).max(2_000)
/** The name under which the operator has stored credentials. The settings never contain the secret itself. */
const credentials = givenId

export const FolderSettings = z.strictObject({ kind: z.literal('folder'), path })
export type FolderSettings = z.infer<typeof FolderSettings>

export const S3Settings = z.strictObject({
  kind: z.literal('s3'),
  bucket: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/,
      'write the name of a bucket with letters, digits, . - and _',
    ),
  prefix: inside.optional(),
  region: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'write a region such as eu-central-1')
    .optional(),
  /** The address of the S3 service. The default is Amazon S3. */
  endpoint: address.optional(),
  /** True if the bucket name is in the path of the URL, not in the host name. Defaults to true if `endpoint` is set. */
  pathStyle: z.boolean().optional(),
  credentials: credentials.optional(),
})
export type S3Settings = z.infer<typeof S3Settings>

export const WebsiteSettings = z.strictObject({
  kind: z.literal('website'),
  url: address,
  /** The maximum number of links between the start page and a page. It has no effect if the website has a sitemap. */
  depth: z.number().int().min(0).max(10, 'list at most 10').default(3),
  pages: z.number().int().min(1).max(10_000, 'use at most 10,000 pages').default(500),
  /** Pages whose path begins with one of these patterns are not read. `*`: any text. `$`: the end of the path. */
  exclude: z
    .array(z.string().regex(/^\/[!-~]{0,299}$/, 'write a path as it appears in addresses, such as /blog/ or /*.zip$'))
    .max(50, 'list at most 50')
    .default([]),
})
export type WebsiteSettings = z.infer<typeof WebsiteSettings>

export const GitSettings = z.strictObject({
  kind: z.literal('git'),
  url: address,
  branch: z
    .string()
    .regex(
      /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)))[A-Za-z0-9_][\w./+@#-]{0,199}(?<![/.])$/,
      'write the name of a branch',
    )
    .optional(),
  path: inside.optional(),
  credentials: credentials.optional(),
})
export type GitSettings = z.infer<typeof GitSettings>

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
