import { z } from 'zod'
import { AccessTags, Metadata, name } from './ask'
import { plainText } from './text'

const DocumentStatus = z.enum(['queued', 'processing', 'indexed', 'failed'])

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
])
export type Format = z.infer<typeof Format>

/** Where a document's bytes come from. */
export const DocumentSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text') }),
  z.object({ kind: z.literal('file'), file: z.string(), bytes: z.number().int() }),
  z.object({ kind: z.literal('url'), url: z.string() }),
])
export type DocumentSource = z.infer<typeof DocumentSource>

/** What a document says of itself beside its text. */
const About = z.object({
  collection: name.default('default'),
  /** Names it in its collection: the same name again is a new version of it. Without one, its content names it. */
  name: plainText.trim().min(1, 'write a name').max(500, '500 characters at most').optional(),
  metadata: Metadata.optional(),
  /** The day it speaks for, as 2024-06-30. */
  date: z.iso.date({ error: 'write the day as 2024-06-30' }).optional(),
  /** Ids of documents that this one amends or replaces: where both would do, this one is taken. */
  supersedes: z.array(z.string().max(64)).max(64).optional(),
  access: AccessTags.optional(),
})

export const DocumentView = z.object({
  id: z.string(),
  title: z.string(),
  status: DocumentStatus,
  task: DocumentTask.optional(),
  progress: z.object({
    passages: z.number().int(),
    percent: z.number(),
    pages: z.number().int().optional(),
    ofPages: z.number().int().optional(),
  }),
  source: DocumentSource.optional(),
  format: Format.optional(),
  /** A digest of its content and of how it is read: the same content again is the same version. */
  version: z.string().optional(),
  /** The version that questions find, where it is not this one. */
  served: z.string().optional(),
  error: z.string().optional(),
  /** A stable code of why it failed, and the page where. */
  problem: z.object({ code: z.string(), page: z.number().int().optional() }).optional(),
  notes: z.array(z.string()).optional(),
  // What is shown was judged when it came; an address that names itself is longer than a name may be.
  collection: z.string(),
  name: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
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

/** The fields that go with an uploaded file. */
export const DocumentFields = z.strictObject({
  title: plainText.trim().min(1, 'write a title').max(300, '300 characters at most').optional(),
  format: Format.optional(),
  ...About.shape,
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

const Chunking = z.discriminatedUnion('by', [
  /** At headings of these levels, and below `maxChars` between paragraphs. */
  z.strictObject({
    by: z.literal('headings'),
    levels: z.array(z.number().int().min(1).max(6)).min(1).default([1, 2, 3]),
    maxChars: z.number().int().min(200).max(20_000).default(1_200),
  }),
  /** By size, each with the end of the one before. */
  z
    .strictObject({
      by: z.literal('tokens'),
      size: z.number().int().min(50).max(8_000).default(1_000),
      overlap: z.number().int().min(0).max(4_000).default(200),
    })
    .refine(({ size, overlap }) => overlap * 2 <= size, {
      message: 'keep the overlap to half of the size',
      path: ['overlap'],
    }),
])
export type Chunking = z.infer<typeof Chunking>

const Way = z.strictObject({
  k: z.number().int().min(0).max(200).optional(),
  weight: z.number().min(0).max(10).optional(),
})

/** How passages of a collection are found; what is left out is as docs/retrieval.md says. */
export const RetrievalSettings = z.strictObject({
  similarity: Way.optional(),
  mmr: Way.extend({
    lambda: z.number().min(0).max(1).optional(),
    fetch: z.number().int().min(1).max(500).optional(),
  }).optional(),
  bm25: Way.optional(),
  candidates: z.number().int().min(1).max(200).optional(),
  /** `offline` is `none`: stored collections still say it. */
  reranker: z.enum(['offline', 'cohere', 'cross-encoder', 'none']).optional(),
  /** How many passages before and after a found one are joined to it. */
  neighbours: z.number().int().min(0).max(3).optional(),
  /** Has no effect any more; stored collections still say it. */
  secondHop: z.boolean().optional(),
})
export type RetrievalSettings = z.infer<typeof RetrievalSettings>

const findsSomething = ({ similarity, mmr, bm25 }: RetrievalSettings): boolean =>
  [similarity, mmr, bm25].some((way) => way?.k !== 0)

export const CollectionSettings = z.strictObject({
  description: plainText.trim().min(1).max(2_000),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.refine(findsSomething, {
    message: 'leave one of similarity, mmr and bm25 on',
    path: ['bm25', 'k'],
  }).optional(),
  policy: name.optional(),
})
export type CollectionSettings = z.infer<typeof CollectionSettings>

export const CollectionView = z.object({
  name: z.string(),
  description: z.string(),
  /** Nobody wrote the description: it is made of the titles and headings of all documents, or of a part where there are too many. */
  made: z.enum(['whole', 'part']).optional(),
  documents: z.number().int(),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.optional(),
  policy: z.string().optional(),
  /** Counts every change of what can be found in it. */
  version: z.number().int().optional(),
  /** What made its vectors. */
  embedder: z.string().optional(),
})
export type CollectionView = z.infer<typeof CollectionView>

/** How many documents of a collection are read again. */
export const Reindexing = z.object({ documents: z.number().int() })
export type Reindexing = z.infer<typeof Reindexing>
