import { z } from 'zod'
import { Ask } from './ask'
import { Citation, Quote } from './passage'
import { Answer, RunView } from './run-view'

/** The fields of a question for which OpenAI's request format has no field. */
export const AskBeside = Ask.omit({ question: true, policy: true, metadata: true })
export type AskBeside = z.infer<typeof AskBeside>

export const Outcome = RunView.pick({
  status: true,
  reason: true,
  policy: true,
  threadId: true,
  grounding: true,
  nearest: true,
  degraded: true,
  review: true,
}).extend({
  runId: z.string(),
  kind: Answer.shape.kind.optional(),
  caveat: z.string().optional(),
  citations: z.array(Citation),
  quotes: z.array(Quote).optional(),
})
export type Outcome = z.infer<typeof Outcome>
