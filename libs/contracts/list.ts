import { z } from 'zod'
import { CollectionView, DocumentView } from './document'
import { RunStatus } from './run-view'

/** Cursors are opaque: send `next` back as `cursor` to go on. */
const next = z.string().nullable()

export const RunSummary = z.object({
  id: z.string(),
  status: RunStatus,
  reason: z.string().optional(),
  question: z.string(),
  policy: z.string(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

export const RunList = z.object({ items: z.array(RunSummary), next })
export type RunList = z.infer<typeof RunList>

export const DocumentList = z.object({ items: z.array(DocumentView), next })
export type DocumentList = z.infer<typeof DocumentList>

/** A policy is a flat record; its fields are explained in docs/policies.md. */
export const PolicyList = z.object({ items: z.array(z.looseObject({ name: z.string() })) })
export type PolicyList = z.infer<typeof PolicyList>

export const CollectionList = z.object({ items: z.array(CollectionView) })
export type CollectionList = z.infer<typeof CollectionList>
