import { DocumentView, name } from '@plumbline/contracts'
import { z } from 'zod'
import { cursor, limitOfPage } from '../runs/run-requests'

export const DocumentsQuery = z.strictObject({
  collection: name.optional(),
  status: DocumentView.shape.status.optional(),
  cursor,
  limit: limitOfPage,
})
export type DocumentsQuery = z.infer<typeof DocumentsQuery>

export const ContentQuery = z.strictObject({ as: z.enum(['markdown', 'json']).default('markdown') })
export type ContentQuery = z.infer<typeof ContentQuery>
