import { z } from 'zod'
import { AccessTags, name } from './ask'
import { Metadata } from './metadata'
import { Table } from './table'
import { Cursor, givenId, plainText, shownName } from './text'
import { DocumentWarning } from './warning'

/** What a document passes through, in this order; one that was interrupted goes on where it was. */
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

/** Where a document's bytes come from. */
export const DocumentSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text') }),
  z.object({ kind: z.literal('file'), file: z.string(), bytes: z.number().int() }),
  z.object({ kind: z.literal('url'), url: z.string() }),
])
export type DocumentSource = z.infer<typeof DocumentSource>

/** Where a document comes from that a source keeps in step. */
export const DocumentOrigin = z.object({ source: z.string(), path: z.string() })
export type DocumentOrigin = z.infer<typeof DocumentOrigin>

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
  /** The source that brought it and keeps it in step, and its path there. */
  from: DocumentOrigin.optional(),
  format: Format.optional(),
  /** A digest of its content and of how it is read: the same content again is the same version. */
  version: z.string().optional(),
  /** Of its bytes, once they are here. */
  sha256: z.string().optional(),
  /** The version that questions find, where it is not this one. */
  served: z.string().optional(),
  error: z.string().optional(),
  /** A stable code of why it failed, and the page where. */
  problem: z.object({ code: z.string(), page: z.number().int().optional() }).optional(),
  notes: z.array(z.string()).optional(),
  /** What may be wrong with what was read of it. */
  warnings: z.array(DocumentWarning).optional(),
  // What is shown was judged when it came; an address that names itself is longer than a name may be.
  collection: z.string(),
  name: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** What it says of itself, as front matter does; asks filter by it where `metadata` says nothing of that name. */
  ownMetadata: z.record(z.string(), z.string()).optional(),
  date: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  access: z.array(z.string()).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type DocumentView = z.infer<typeof DocumentView>

/** A document as it was taken in: whether there is anything to do for it. */
export const TakenDocument = DocumentView.extend({ taken: z.enum(['new', 'replaces', 'unchanged']) })
export type TakenDocument = z.infer<typeof TakenDocument>

/** The fields that go with an uploaded file: what a document says of itself beside its text. */
export const DocumentFields = z.strictObject({
  title: shownName.min(1, 'write a title').max(300, '300 characters at most').optional(),
  format: Format.optional(),
  collection: name.default('default'),
  /** Names it in its collection: the same name again is a new version of it. Without one, its content names it. */
  name: shownName.min(1, 'write a name').max(500, '500 characters at most').optional(),
  metadata: Metadata.optional(),
  /** The day it speaks for, as 2024-06-30. */
  date: z.iso.date({ error: 'write the day as 2024-06-30' }).optional(),
  /** Ids of documents that this one amends or replaces: where both would do, this one is taken. */
  supersedes: z.array(givenId).max(64).optional(),
  access: AccessTags.optional(),
})
export type DocumentFields = z.infer<typeof DocumentFields>

export const NewDocument = z
  .strictObject({
    ...DocumentFields.shape,
    text: plainText
      .min(1, 'write a text')
      .max(10_000_000, 'send a text as long as this as a file (multipart/form-data)')
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
  .refine(({ title, url }) => title !== undefined || url !== undefined, { message: 'write a title', path: ['title'] })
export type NewDocument = z.infer<typeof NewDocument>

/** Of the bytes of a file. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'send the SHA-256 of its bytes in lower-case hexadecimal')

/** Files by their names and digests, to know which of them need not be sent. */
export const FilesToCompare = z.strictObject({
  ...DocumentFields.pick({ collection: true, metadata: true, access: true }).shape,
  files: z
    .array(
      z.strictObject({
        name: shownName.min(1, 'write a name').max(500, '500 characters at most'),
        sha256: Sha256,
      }),
    )
    .min(1, 'send one file at least')
    .max(1_000, 'send 1,000 files at most'),
})
export type FilesToCompare = z.infer<typeof FilesToCompare>

/** What each file would be if it were sent now, in the order in which they were named. */
export const ComparedFiles = z.object({
  items: z.array(z.object({ name: z.string(), taken: TakenDocument.shape.taken, document: DocumentView.optional() })),
})
export type ComparedFiles = z.infer<typeof ComparedFiles>

export const DocumentList = z.object({ items: z.array(DocumentView), next: Cursor })
export type DocumentList = z.infer<typeof DocumentList>

/** What a document's text is written in once it has been read. */
export const Markup = z.enum(['markdown', 'text'])
export type Markup = z.infer<typeof Markup>

/** A page, a slide, a sheet, or the whole of a document that has none of these. */
export const ParsedPart = z.object({
  page: z.number().int().min(1).optional(),
  text: z.string(),
  /** Every table of its Markdown; without this they are only there as Markdown. */
  tables: z.array(Table).optional(),
})
export type ParsedPart = z.infer<typeof ParsedPart>

/** A document as it was read: its text in reading order, tables as Markdown and as cells. A table over several pages stands whole where it begins. */
export const ParsedDocument = z.object({
  /** As the document names itself. */
  title: z.string().optional(),
  /** What it says of itself beside its text, by name. */
  metadata: z.record(z.string(), z.string()).optional(),
  markup: Markup,
  parts: z.array(ParsedPart),
  pages: z.number().int().min(0).optional(),
  /** What a reader should know of how it was read. */
  notes: z.array(z.string()).optional(),
  warnings: z.array(DocumentWarning).optional(),
})
export type ParsedDocument = z.infer<typeof ParsedDocument>

/** A page as people see it: its size, and its words where they stand, in points from its upper left corner. */
export const PageWords = z.object({
  width: z.number(),
  height: z.number(),
  words: z.array(z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
})
export type PageWords = z.infer<typeof PageWords>
