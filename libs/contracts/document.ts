import { z } from 'zod'
import { AccessTags, name } from './ask'
import { Metadata } from './metadata'
import { Table } from './table'
import { Cursor, givenId, plainText, shownName } from './text'
import { DocumentWarning } from './warning'

/** Indexing runs these steps in this order. If a step is interrupted, the step starts again. */
export const DocumentTask = z.enum(['fetch', 'parse', 'chunk', 'embed', 'index'])
export type DocumentTask = z.infer<typeof DocumentTask>

export const Format = z.enum([
  'markdown',
  'text',
  'html',
  'asciidoc',
  'csv',
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'code',
  'image',
  'odf',
  'rtf',
  'epub',
  'email',
  'json',
  'subtitles',
  'archive',
])
export type Format = z.infer<typeof Format>

export const DocumentSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text') }),
  z.object({ kind: z.literal('file'), file: z.string(), bytes: z.number().int() }),
  z.object({ kind: z.literal('url'), url: z.string() }),
])
export type DocumentSource = z.infer<typeof DocumentSource>

export const DocumentOrigin = z.object({ source: z.string(), path: z.string() })
export type DocumentOrigin = z.infer<typeof DocumentOrigin>

/** The progress of adding vectors. A passage without a vector is found only by its words. */
export const VectorProgress = z.object({
  done: z.number().int(),
  of: z.number().int(),
  secondsLeft: z.number().int().optional(),
})
export type VectorProgress = z.infer<typeof VectorProgress>

export const DocumentView = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['queued', 'processing', 'indexed', 'failed']),
  task: DocumentTask.optional(),
  progress: z.object({
    passages: z.number().int(),
    percent: z.number(),
    pages: z.number().int().optional(),
    ofPages: z.number().int().optional(),
  }),
  source: DocumentSource.optional(),
  from: DocumentOrigin.optional(),
  format: Format.optional(),
  /** The same content with the same parsing settings always has the same version. */
  version: z.string().optional(),
  sha256: z.string().optional(),
  /** The older version that searches still find. Absent if searches find the current version. */
  served: z.string().optional(),
  error: z.string().optional(),
  /** `code` never changes for the same problem, so clients may compare it. */
  problem: z.object({ code: z.string(), page: z.number().int().optional() }).optional(),
  notes: z.array(z.string()).optional(),
  vectors: VectorProgress.optional(),
  warnings: z.array(DocumentWarning).optional(),
  // Responses do not validate the name, because a URL that serves as the name may exceed the length limit.
  collection: z.string(),
  name: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** Metadata from the properties of the file. An entry of `metadata` with the same name has priority. */
  ownMetadata: z.record(z.string(), z.string()).optional(),
  date: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  access: z.array(z.string()).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type DocumentView = z.infer<typeof DocumentView>

export const TakenDocument = DocumentView.extend({ taken: z.enum(['new', 'replaces', 'unchanged']) })
export type TakenDocument = z.infer<typeof TakenDocument>

export const DocumentFields = z.strictObject({
  title: shownName.min(1, 'enter a title').max(300, 'use at most 300 characters').optional(),
  format: Format.optional(),
  collection: name.default('default'),
  /** An upload with the name of a document is its new version. Without a name, equal content is the same document. */
  name: shownName.min(1, 'enter a name').max(500, 'use at most 500 characters').optional(),
  metadata: Metadata.optional(),
  /** The day to which the content applies, not the day of the upload. */
  date: z.iso.date({ error: 'write a date such as 2024-06-30' }).optional(),
  /** The ids of older documents that this document replaces. If a search finds both, the answer uses this document. */
  supersedes: z.array(givenId).max(64).optional(),
  access: AccessTags.optional(),
})
export type DocumentFields = z.infer<typeof DocumentFields>

export const NewDocument = z
  .strictObject({
    ...DocumentFields.shape,
    text: plainText
      .min(1, 'enter a text')
      .max(10_000_000, 'the text is too long for JSON: send it as a file (multipart/form-data)')
      .optional(),
    url: z
      .url({ protocol: /^https?$/, error: 'write it as https://host/path' })
      .max(2_000)
      .optional(),
  })
  .refine(({ text, url }) => (text === undefined) !== (url === undefined), {
    message: 'send either text or url',
    path: ['text'],
  })
  .refine(({ title, url }) => title !== undefined || url !== undefined, { message: 'enter a title', path: ['title'] })
export type NewDocument = z.infer<typeof NewDocument>

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'send the SHA-256 of the file in lower-case hexadecimal')

export const FilesToCompare = z.strictObject({
  ...DocumentFields.pick({ collection: true, metadata: true, access: true }).shape,
  files: z
    .array(
      z.strictObject({
        name: shownName.min(1, 'enter a name').max(500, 'use at most 500 characters'),
        sha256: Sha256,
      }),
    )
    .min(1, 'send at least one file')
    .max(1_000, 'send at most 1,000 files'),
})
export type FilesToCompare = z.infer<typeof FilesToCompare>

export const ComparedFiles = z.object({
  items: z.array(z.object({ name: z.string(), taken: TakenDocument.shape.taken, document: DocumentView.optional() })),
})
export type ComparedFiles = z.infer<typeof ComparedFiles>

export const DocumentList = z.object({ items: z.array(DocumentView), next: Cursor })
export type DocumentList = z.infer<typeof DocumentList>

export const Markup = z.enum(['markdown', 'text'])
export type Markup = z.infer<typeof Markup>

export const ParsedPart = z.object({
  page: z.number().int().min(1).optional(),
  text: z.string(),
  /** The tables as cells. Without this field, the text contains the tables only as Markdown. */
  tables: z.array(Table).optional(),
})
export type ParsedPart = z.infer<typeof ParsedPart>

export const ParsedDocument = z.object({
  title: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  markup: Markup,
  parts: z.array(ParsedPart),
  pages: z.number().int().min(0).optional(),
  notes: z.array(z.string()).optional(),
  warnings: z.array(DocumentWarning).optional(),
})
export type ParsedDocument = z.infer<typeof ParsedDocument>

/** The words of a page and their places, in points from the upper left corner. */
export const PageWords = z.object({
  width: z.number(),
  height: z.number(),
  words: z.array(z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
})
export type PageWords = z.infer<typeof PageWords>
