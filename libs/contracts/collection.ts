import { z } from 'zod'
import { name } from './ask'
import { plainText, shownName } from './text'

/** The collection of Plumbline's own manuals. A question without a collection searches it only if there is no other. */
export const manualsCollection = 'plumbline-docs'

const Chunking = z.discriminatedUnion('by', [
  /** Splits a document at its headings. A section that is longer than `maxChars` is also split between paragraphs. */
  z.strictObject({
    by: z.literal('headings'),
    levels: z.array(z.number().int().min(1).max(6)).min(1).default([1, 2, 3]),
    maxChars: z.number().int().min(200).max(20_000).default(1_200),
  }),
  /** Splits a document into chunks of `size` tokens. Each chunk repeats the last `overlap` tokens of the one before. */
  z
    .strictObject({
      by: z.literal('tokens'),
      size: z.number().int().min(50).max(8_000).default(1_000),
      overlap: z.number().int().min(0).max(4_000).default(200),
    })
    .refine(({ size, overlap }) => overlap * 2 <= size, {
      message: 'set the overlap to at most half of the size',
      path: ['overlap'],
    }),
])
export type Chunking = z.infer<typeof Chunking>

const MethodSettings = z.strictObject({
  k: z.number().int().min(0).max(200).optional(),
  weight: z.number().min(0).max(10).optional(),
})

export const RetrievalSettings = z.strictObject({
  similarity: MethodSettings.optional(),
  mmr: MethodSettings.extend({
    lambda: z.number().min(0).max(1).optional(),
    fetch: z.number().int().min(1).max(500).optional(),
  }).optional(),
  bm25: MethodSettings.optional(),
  candidates: z.number().int().min(1).max(200).optional(),
  /** `offline` means the same as `none`. It is still accepted, because stored collections may contain it. */
  reranker: z.enum(['offline', 'cohere', 'cross-encoder', 'none']).optional(),
  neighbours: z.number().int().min(0).max(3).optional(),
  /** This field has no effect, but stored collections may contain it. */
  secondHop: z.boolean().optional(),
})
export type RetrievalSettings = z.infer<typeof RetrievalSettings>

const findsSomething = ({ similarity, mmr, bm25 }: RetrievalSettings): boolean =>
  [similarity, mmr, bm25].some((way) => way?.k !== 0)

export const CollectionSettings = z.strictObject({
  description: plainText.trim().min(1).max(2_000),
  questions: z
    .array(plainText.trim().min(1).max(300, 'use at most 300 characters'))
    .max(6, 'use at most six questions')
    .optional(),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.refine(findsSomething, {
    message: 'leave at least one of similarity, mmr and bm25 turned on',
    path: ['bm25', 'k'],
  }).optional(),
  policy: name.optional(),
  /** The person who corrects answers of this collection that readers have flagged as wrong. */
  owner: shownName.min(1).max(200).optional(),
})
export type CollectionSettings = z.infer<typeof CollectionSettings>

export const CollectionView = z.object({
  name: z.string(),
  description: z.string(),
  questions: z.array(z.string()).optional(),
  /** Present if the description was generated: from all documents (`whole`) or from some of them (`part`). */
  made: z.enum(['whole', 'part']).optional(),
  documents: z.number().int(),
  chunking: Chunking.optional(),
  retrieval: RetrievalSettings.optional(),
  policy: z.string().optional(),
  owner: z.string().optional(),
  /** A number that increases with every change of the searchable content. */
  version: z.number().int().optional(),
  embedder: z.string().optional(),
})
export type CollectionView = z.infer<typeof CollectionView>

export const Reindexing = z.object({ documents: z.number().int() })
export type Reindexing = z.infer<typeof Reindexing>

export const CollectionList = z.object({ items: z.array(CollectionView) })
export type CollectionList = z.infer<typeof CollectionList>
