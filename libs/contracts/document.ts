import { z } from 'zod'
import { name } from './ask'
import { plainText } from './text'

const DocumentStatus = z.enum(['queued', 'processing', 'indexed', 'failed'])
export const DocumentView = z.object({
  id: z.string(),
  collection: z.string(),
  title: z.string(),
  status: DocumentStatus,
  progress: z.object({ passages: z.number().int(), percent: z.number() }),
  error: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type DocumentView = z.infer<typeof DocumentView>

export const Format = z.enum(['markdown', 'text'])
export type Format = z.infer<typeof Format>

export const NewDocument = z.strictObject({
  title: plainText.trim().min(1).max(300),
  text: plainText.min(1).max(10_000_000),
  format: Format.default('markdown'),
  collection: name.default('default'),
  metadata: z.record(z.string().max(64), z.string().max(256)).optional(),
})
export type NewDocument = z.infer<typeof NewDocument>

export const CollectionSettings = z.strictObject({
  description: plainText.trim().min(1).max(2_000),
  /** Heading levels at which Markdown is cut into passages. */
  headingLevels: z.array(z.number().int().min(1).max(6)).min(1).optional(),
  policy: name.optional(),
})
export type CollectionSettings = z.infer<typeof CollectionSettings>

export const CollectionView = z.object({
  name: z.string(),
  description: z.string(),
  documents: z.number().int(),
  headingLevels: z.array(z.number().int()).optional(),
  policy: z.string().optional(),
})
export type CollectionView = z.infer<typeof CollectionView>
