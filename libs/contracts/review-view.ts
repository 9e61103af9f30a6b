import { z } from 'zod'
import { AnswerPart, Claim } from './claim'
import { LedgerEvent } from './ledger'
import { Citation, Evidence, Quote } from './passage'
import { ReviewAction } from './review'
import { RunView } from './run-view'

/** A reviewer has the draft open until `until`; the lease ends by itself. */
export const Lease = z.object({ by: z.string(), until: z.string() })
export type Lease = z.infer<typeof Lease>

const parked = {
  taskId: z.string(),
  decider: z.enum(['reviewer', 'asker']),
  reason: z.string(),
  parkedAt: z.string(),
  dueAt: z.string(),
  /** What may be decided now: a run without moves left can only end. */
  actions: z.array(ReviewAction),
  lease: Lease.nullable(),
}

export const ReviewRow = z.object({
  runId: z.string(),
  question: z.string(),
  policy: z.string(),
  score: z.number().nullable(),
  ...parked,
})
export type ReviewRow = z.infer<typeof ReviewRow>

export const ReviewList = z.object({ items: z.array(ReviewRow), next: z.string().nullable() })
export type ReviewList = z.infer<typeof ReviewList>

export const ReviewView = z.object({
  ...parked,
  run: RunView,
  draft: z.object({
    draft: z.number().int(),
    text: z.string(),
    citations: z.array(Citation),
    quotes: z.array(Quote).optional(),
    editedBy: z.string().optional(),
  }),
  score: z.number().nullable(),
  claims: z.array(Claim),
  parts: z.array(AnswerPart),
  evidence: z.array(Evidence),
  trace: z.array(z.object({ id: z.string(), event: LedgerEvent })),
})
export type ReviewView = z.infer<typeof ReviewView>
