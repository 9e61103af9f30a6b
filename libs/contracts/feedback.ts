import { z } from 'zod'
import { Cursor, plainText } from './text'

export const Feedback = z.strictObject({ useful: z.boolean(), note: plainText.max(2_000).optional() })
export type Feedback = z.infer<typeof Feedback>

/** `by` is the id of the key that gave the feedback. Only reviewers get this field. */
export const GivenFeedback = z.object({
  useful: z.boolean(),
  note: z.string().optional(),
  at: z.string().optional(),
  by: z.string().optional(),
})
export type GivenFeedback = z.infer<typeof GivenFeedback>

export const RunFeedback = z.object({ items: z.array(GivenFeedback) })
export type RunFeedback = z.infer<typeof RunFeedback>

export const FeedbackList = z.object({
  items: z.array(RunFeedback.extend({ runId: z.string(), question: z.string(), policy: z.string() })),
  next: Cursor,
})
export type FeedbackList = z.infer<typeof FeedbackList>
