import { z } from 'zod'
import { name } from './ask'
import { plainText, shownName } from './text'

/** Plumbline's own manuals. A question without a collection skips them, unless there is no other collection. */
export const manualsCollection = 'plumbline-docs'

const Chunking = z.discriminatedUnion('by', [
  /** At headings of these levels, and below `maxChars` between paragraphs. */
  z.strictObject({
    by: z.literal('headings'),
    levels: z.array(z.number().int().min(1).max(6)).min(1).default([1, 2, 3]),
    maxChars: z.number().int().min(200).max(20_000).default(1_200),
  }),
  /** By size, each overlapping the end of the one before. */
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

/** How passages of a collection are found. The defaults are in docs/understand/retrieval.md. */
export const RetrievalSettings = z.strictObject({
  similarity: Way.optional(),
  mmr: Way.extend({
    lambda: z.number().min(0).max(1).optional(),
    fetch: z.number().int().min(1).max(500).optional(),
  }).optional(),
  bm25: Way.optional(),
  candidates: z.number().int().min(1).max(200).optional(),
  /** `offline` means `none`. Stored collections may still have it. */
  reranker: z.enum(['offline', 'cohere', 'cross-encoder', 'none']).optional(),
  /** How many passages before and after a found one are joined to it. */
  neighbours: z.number().int().min(0).max(3).optional(),
  /** No longer has an effect. Stored collections may still have it. */
  secondHop: z.boolean().optional(),
})
export type RetrievalSettings = z.infer<typeof RetrievalSettings>

const findsSomething = ({ similarity, mmr, bm25 }: RetrievalSettings): boolean =>
  [similarity, mmr, bm25].some((way) => way?.k !== 0)

export const CollectionSettings = z.strictObject({
  description: plainText.trim().min(1).max(2_000),
  /** Sample questions for newcomers. */
  questions: z
    .array(plainText.trim().min(1).max(300, 'use at most 300 characters'))
    .max(6, 'use at most six questions')
    .optional(),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.refine(findsSomething, {
    message: 'keep one of similarity, mmr and bm25 on',
    path: ['bm25', 'k'],
  }).optional(),
  policy: name.optional(),
  /** The owner of its documents, who is asked to fix flagged answers. */
  owner: shownName.min(1).max(200).optional(),
})
export type CollectionSettings = z.infer<typeof CollectionSettings>

export const CollectionView = z.object({
  name: z.string(),
  description: z.string(),
  questions: z.array(z.string()).optional(),
  /**
   * The description was generated from the titles and headings of all documents, or of a part if there are too many.
   */
  made: z.enum(['whole', 'part']).optional(),
  documents: z.number().int(),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.optional(),
  policy: z.string().optional(),
  owner: z.string().optional(),
  /** Counts every change of its searchable content. */
  version: z.number().int().optional(),
  /** The embedder of its vectors. */
  embedder: z.string().optional(),
})
export type CollectionView = z.infer<typeof CollectionView>

/** How many documents of a collection are indexed again. */
export const Reindexing = z.object({ documents: z.number().int() })
export type Reindexing = z.infer<typeof Reindexing>

export const CollectionList = z.object({ items: z.array(CollectionView) })
export type CollectionList = z.infer<typeof CollectionList>
