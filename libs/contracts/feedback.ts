import { z } from 'zod'
import { Cursor, plainText } from './text'

/** What an asker says about an answer. */
export const Feedback = z.strictObject({ useful: z.boolean(), note: plainText.max(2_000).optional() })
export type Feedback = z.infer<typeof Feedback>

/** What was said, when, and (for reviewers) by which key. */
export const GivenFeedback = z.object({
  useful: z.boolean(),
  note: z.string().optional(),
  at: z.string().optional(),
  by: z.string().optional(),
})
export type GivenFeedback = z.infer<typeof GivenFeedback>

/** All that was said about the answer of one run, oldest first. */
export const RunFeedback = z.object({ items: z.array(GivenFeedback) })
export type RunFeedback = z.infer<typeof RunFeedback>

/** Runs that something was said about, the last one first, while they are kept. */
export const FeedbackList = z.object({
  items: z.array(RunFeedback.extend({ runId: z.string(), question: z.string(), policy: z.string() })),
  next: Cursor,
})
export type FeedbackList = z.infer<typeof FeedbackList>
