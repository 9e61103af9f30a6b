import { z } from 'zod'
import { SomeCollections } from './ask'
import { Filters } from './filters'
import { Evidence, Passage } from './passage'
import { Cursor, plainText } from './text'

export const Search = z.strictObject({
  query: plainText.trim().min(1, 'enter a query').max(4_000, 'use fewer than 4,000 characters'),
  collection: SomeCollections.optional(),
  filters: Filters.optional(),
  limit: z.number().int().min(1).max(50).default(10),
})
export type Search = z.infer<typeof Search>

export const SearchResults = z.object({
  items: z.array(Evidence.extend({ marks: z.array(z.tuple([z.number().int(), z.number().int()])) })),
  collections: z.array(z.string()),
  /** The name of another collection that contains words of the query. Present only if the searched ones do not. */
  elsewhere: z.string().optional(),
  /** The unavailable parts of the search: `embedder`, `reranker` or `vectors:<collection>`. Results may be missing. */
  degraded: z.array(z.string()).optional(),
})
export type SearchResults = z.infer<typeof SearchResults>

export const PassageList = z.object({ items: z.array(Passage), next: Cursor })
export type PassageList = z.infer<typeof PassageList>
