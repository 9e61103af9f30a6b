import { z } from 'zod'
import { AskClass } from './ask'
import { Claim } from './claim'
import { Citation, CitedPassage, Quote, QuotedPlace } from './passage'
import { SomeReason } from './reason'
import { Cursor } from './text'
import { Usage } from './usage'

export const PlannedStep = z.object({
  question: z.string(),
  /** The number of another step whose result this step needs. The first step has number 1. */
  waitsFor: z.number().int().positive().nullable(),
  queries: z.array(z.string()).optional(),
  lookups: z.array(z.string()).optional(),
})
export type PlannedStep = z.infer<typeof PlannedStep>

export const Source = z.enum(['index', 'web'])
export type Source = z.infer<typeof Source>

export const Strategy = z.enum(['expand-terms', 'narrow-focus', 'rephrase-intent', 'decompose', 'add-context'])
export type Strategy = z.infer<typeof Strategy>

export const Overall = z.enum(['correct', 'ambiguous', 'incorrect'])
export type Overall = z.infer<typeof Overall>

/** With `continue`, a run answers from passages that earlier runs of the thread have found. */
export const RouteTo = z.enum(['research', 'summarise', 'web', 'reply', 'clarify', 'decline', 'continue'])
export type RouteTo = z.infer<typeof RouteTo>

export const EndStatus = z.enum([
  'answered',
  'needs_input',
  'declined',
  'unanswered',
  'rejected',
  'failed',
  'cancelled',
  'expired',
])
export type EndStatus = z.infer<typeof EndStatus>
export const RunStatus = z.enum(['queued', 'running', 'parked', ...EndStatus.options])
export type RunStatus = z.infer<typeof RunStatus>

export const ReviewAction = z.enum(['approve', 'edit', 'retry', 'research', 'reject'])
export type ReviewAction = z.infer<typeof ReviewAction>

const AnswerKind = z.enum(['written', 'quoted'])

/** The answer as it is stored, with the ids of passages. Clients get full citations instead of these ids. */
export const Released = z.object({
  /** Absent in runs of earlier versions, where every answer is a written answer. */
  kind: AnswerKind.optional(),
  text: z.string(),
  citations: z.array(CitedPassage),
  quotes: z.array(QuotedPlace).optional(),
  /** A warning for the reader. Present if the draft was released although it did not pass its check. */
  caveat: z.string().optional(),
  /** A question to the asker about a missing detail. Clients show this question below the answer. */
  question: z.string().optional(),
  cached: z.object({ runId: z.string(), at: z.string() }).optional(),
  nearest: z.array(z.string()).optional(),
})
export type Released = z.infer<typeof Released>

export const Answer = Released.omit({ nearest: true }).extend({
  kind: AnswerKind,
  citations: z.array(Citation),
  quotes: z.array(Quote).optional(),
})
export type Answer = z.infer<typeof Answer>

/**
 * The part of an answer that was released before the whole answer. `incomplete`: the rest is held or was never written.
 * `doubted`: a later check no longer supports the text.
 */
export const PartialAnswer = z.object({
  text: z.string(),
  citations: z.array(Citation),
  state: z.enum(['open', 'incomplete', 'doubted', 'corrected', 'withdrawn']),
})
export type PartialAnswer = z.infer<typeof PartialAnswer>

const StepView = z.object({
  step: z.number().int(),
  question: z.string(),
  waitsFor: z.number().int().nullable(),
  status: z.enum(['waiting', 'open', 'done']),
  tries: z.number().int(),
  source: Source,
})

export const RunView = z.object({
  id: z.string(),
  status: RunStatus,
  reason: SomeReason.optional(),
  question: z.string(),
  policy: z.string(),
  skills: z.string().optional(),
  route: z.object({ to: RouteTo, logic: z.string(), collections: z.array(z.string()) }).optional(),
  plan: z.object({ steps: z.array(StepView) }),
  queriesAttempted: z.number().int(),
  rewrites: z.number().int(),
  degraded: z.array(z.string()).optional(),
  documentsUsed: z.array(z.object({ id: z.string(), title: z.string() })),
  answer: Answer.optional(),
  /** The text that was released before the whole answer. Absent if the whole answer begins with this text. */
  partial: PartialAnswer.optional(),
  nearest: z.array(Citation).optional(),
  standalone: z.string().optional(),
  queries: z.array(z.string()).optional(),
  grounding: z.object({ score: z.number(), claims: z.array(Claim) }).optional(),
  review: z
    .object({
      taskId: z.string(),
      decider: z.enum(['reviewer', 'asker']),
      parkedAt: z.string(),
      dueAt: z.string(),
      actions: z.array(ReviewAction).optional(),
      place: z.object({ at: z.number().int(), of: z.number().int() }).optional(),
    })
    .optional(),
  /**
   * The run's place in the queue. At position 0, a worker is about to start it. More urgent runs may overtake a run.
   */
  queue: z.object({ position: z.number().int(), class: AskClass, waitingMs: z.number() }).optional(),
  traceId: z.string().optional(),
  threadId: z.string().optional(),
  /** The earlier run that asked the same question in another branch of the thread. */
  replaces: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  usage: Usage,
  /** Only reviewers get this field. */
  trace: z.array(z.string()).optional(),
  timings: z.object({
    createdAt: z.string(),
    deadlineAt: z.string(),
    endedAt: z.string().optional(),
    totalMs: z.number().optional(),
  }),
})
export type RunView = z.infer<typeof RunView>

export const RunSummary = z.object({
  id: z.string(),
  status: RunStatus,
  reason: SomeReason.optional(),
  question: z.string(),
  policy: z.string(),
  threadId: z.string().optional(),
  collections: z.array(z.string()).optional(),
  score: z.number().optional(),
  cents: z.number().optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

export const RunList = z.object({ items: z.array(RunSummary), next: Cursor })
export type RunList = z.infer<typeof RunList>

export const PolicyList = z.object({ items: z.array(z.looseObject({ name: z.string() })) })
export type PolicyList = z.infer<typeof PolicyList>
