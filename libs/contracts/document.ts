import { z } from 'zod'
import { AccessTags, name } from './ask'
import { Metadata } from './metadata'
import { Table } from './table'
import { Cursor, givenId, plainText, shownName } from './text'
import { DocumentWarning } from './warning'

/** The steps of ingestion, in order. After an interruption, a document continues with the interrupted step. */
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

/** The origin of a document's bytes. */
export const DocumentSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text') }),
  z.object({ kind: z.literal('file'), file: z.string(), bytes: z.number().int() }),
  z.object({ kind: z.literal('url'), url: z.string() }),
])
export type DocumentSource = z.infer<typeof DocumentSource>

/** The source that keeps a document in sync, and the path of the document in that source. */
export const DocumentOrigin = z.object({ source: z.string(), path: z.string() })
export type DocumentOrigin = z.infer<typeof DocumentOrigin>

/**
 * The number of passages that can be found by meaning (`done`) of all passages (`of`). Search by words finds all of
 * them. `secondsLeft` is an estimate for this document alone, without the documents before it.
 */
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
  /** The source that keeps the document in sync, and its path in that source. */
  from: DocumentOrigin.optional(),
  format: Format.optional(),
  /** A digest of content and parsing settings. Uploading the same content again gives the same version. */
  version: z.string().optional(),
  /** SHA-256 of the document's bytes. Absent until they are fetched. */
  sha256: z.string().optional(),
  /** The version that questions find. Absent if it is the current version. */
  served: z.string().optional(),
  error: z.string().optional(),
  /** A stable code for the failure, and the page where it happened. */
  problem: z.object({ code: z.string(), page: z.number().int().optional() }).optional(),
  notes: z.array(z.string()).optional(),
  /** Set while vectors are added to an indexed document. */
  vectors: VectorProgress.optional(),
  /** Possible faults of the parsed text. */
  warnings: z.array(DocumentWarning).optional(),
  // Names were validated on upload and are not validated here. A URL used as a name may exceed the limit.
  collection: z.string(),
  name: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** Metadata in the document itself, such as front matter. A filter uses it if `metadata` lacks the name. */
  ownMetadata: z.record(z.string(), z.string()).optional(),
  date: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  access: z.array(z.string()).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type DocumentView = z.infer<typeof DocumentView>

/** A document after an upload. `taken` says whether the upload added it, replaced it or changed nothing. */
export const TakenDocument = DocumentView.extend({ taken: z.enum(['new', 'replaces', 'unchanged']) })
export type TakenDocument = z.infer<typeof TakenDocument>

/** The fields that may accompany an uploaded file. */
export const DocumentFields = z.strictObject({
  title: shownName.min(1, 'enter a title').max(300, 'use at most 300 characters').optional(),
  format: Format.optional(),
  collection: name.default('default'),
  /**
   * Identifies the document in its collection: an upload with the same name is a new version. Without a name, the
   * content identifies the document.
   */
  name: shownName.min(1, 'enter a name').max(500, 'use at most 500 characters').optional(),
  metadata: Metadata.optional(),
  /** The date that the content is about, as 2024-06-30. */
  date: z.iso.date({ error: 'write the date as 2024-06-30' }).optional(),
  /** Ids of documents that this one amends or replaces. If a question finds both, this one is used. */
  supersedes: z.array(givenId).max(64).optional(),
  access: AccessTags.optional(),
})
export type DocumentFields = z.infer<typeof DocumentFields>

export const NewDocument = z
  .strictObject({
    ...DocumentFields.shape,
    text: plainText
      .min(1, 'enter a text')
      .max(10_000_000, 'send a text of this length as a file (multipart/form-data)')
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

/** SHA-256 of a file. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'send the SHA-256 of its bytes in lower-case hexadecimal')

/** Names and digests of files, to find out which of them need no upload. */
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

/** For each file, the result that an upload would have now, in request order. */
export const ComparedFiles = z.object({
  items: z.array(z.object({ name: z.string(), taken: TakenDocument.shape.taken, document: DocumentView.optional() })),
})
export type ComparedFiles = z.infer<typeof ComparedFiles>

export const DocumentList = z.object({ items: z.array(DocumentView), next: Cursor })
export type DocumentList = z.infer<typeof DocumentList>

/** The markup of a parsed document's text. */
export const Markup = z.enum(['markdown', 'text'])
export type Markup = z.infer<typeof Markup>

/** One page, slide or sheet. A document without these has one part. */
export const ParsedPart = z.object({
  page: z.number().int().min(1).optional(),
  text: z.string(),
  /** The cells of every table in the text. If absent, tables exist only as Markdown. */
  tables: z.array(Table).optional(),
})
export type ParsedPart = z.infer<typeof ParsedPart>

/**
 * A parsed document: text in reading order, tables as Markdown and as cells. A table over several pages is stored on
 * its first page as a whole.
 */
export const ParsedDocument = z.object({
  /** The title that the document itself states. */
  title: z.string().optional(),
  /** The metadata that the document itself states, by name. */
  metadata: z.record(z.string(), z.string()).optional(),
  markup: Markup,
  parts: z.array(ParsedPart),
  pages: z.number().int().min(0).optional(),
  /** Remarks for readers about the parsing. */
  notes: z.array(z.string()).optional(),
  warnings: z.array(DocumentWarning).optional(),
})
export type ParsedDocument = z.infer<typeof ParsedDocument>

/** The size of a page, and its words with their positions, in points from the upper left corner. */
export const PageWords = z.object({
  width: z.number(),
  height: z.number(),
  words: z.array(z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
})
export type PageWords = z.infer<typeof PageWords>
