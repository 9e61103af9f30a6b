import { z } from 'zod'
import { name } from './ask'
import { plainText, shownName } from './text'

/** Plumbline's own manuals. A question that names no collection is about something else, unless nothing else is there. */
export const manualsCollection = 'plumbline-docs'

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
  /** What is worth asking of it, for who comes the first time. */
  questions: z
    .array(plainText.trim().min(1).max(300, '300 characters at most'))
    .max(6, 'six questions at most')
    .optional(),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.refine(findsSomething, {
    message: 'leave one of similarity, mmr and bm25 on',
    path: ['bm25', 'k'],
  }).optional(),
  policy: name.optional(),
  /** Who answers for its documents: flagged answers are shown as theirs to fix. */
  owner: shownName.min(1).max(200).optional(),
})
export type CollectionSettings = z.infer<typeof CollectionSettings>

export const CollectionView = z.object({
  name: z.string(),
  description: z.string(),
  questions: z.array(z.string()).optional(),
  /** Nobody wrote the description: it is made of the titles and headings of all documents, or of a part where there are too many. */
  made: z.enum(['whole', 'part']).optional(),
  documents: z.number().int(),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.optional(),
  policy: z.string().optional(),
  owner: z.string().optional(),
  /** Counts every change of what can be found in it. */
  version: z.number().int().optional(),
  /** What made its vectors. */
  embedder: z.string().optional(),
})
export type CollectionView = z.infer<typeof CollectionView>

/** How many documents of a collection are read again. */
export const Reindexing = z.object({ documents: z.number().int() })
export type Reindexing = z.infer<typeof Reindexing>

export const CollectionList = z.object({ items: z.array(CollectionView) })
export type CollectionList = z.infer<typeof CollectionList>
