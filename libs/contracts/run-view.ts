import { z } from 'zod'
import { AskClass } from './ask'
import { Claim } from './claim'
import { Citation, CitedPassage, Quote, QuotedPlace } from './passage'
import { SomeReason } from './reason'
import { Cursor } from './text'
import { Usage } from './usage'

export const PlannedStep = z.object({
  question: z.string(),
  /** The number (from 1) of the step whose answer this one needs first. */
  waitsFor: z.number().int().positive().nullable(),
  /** What else is searched for it. */
  queries: z.array(z.string()).optional(),
})
export type PlannedStep = z.infer<typeof PlannedStep>

export const Source = z.enum(['index', 'web'])
export type Source = z.infer<typeof Source>

export const Strategy = z.enum(['expand-terms', 'narrow-focus', 'rephrase-intent', 'decompose', 'add-context'])
export type Strategy = z.infer<typeof Strategy>

export const Overall = z.enum(['correct', 'ambiguous', 'incorrect'])
export type Overall = z.infer<typeof Overall>

/** `continue`: with the passages the thread has already. */
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

/** An answer as the run and its ledger keep it; views replace the cited ids by citations. */
export const Released = z.object({
  /** `quoted`: places of the documents, word for word, and nothing written. Runs stored before were all written. */
  kind: AnswerKind.optional(),
  text: z.string(),
  citations: z.array(CitedPassage),
  quotes: z.array(QuotedPlace).optional(),
  /** Stands before the text wherever the answer is shown: the draft was released without passing its check. */
  caveat: z.string().optional(),
  /** Stands after the text: what the asker is asked, so that the next answer can be narrower. */
  question: z.string().optional(),
  /** It was checked and released in another run, which asked just the same: which and when. */
  cached: z.object({ runId: z.string(), at: z.string() }).optional(),
  /** Ids of the passages that come closest, where nothing that was asked stands in any. */
  nearest: z.array(z.string()).optional(),
})
export type Released = z.infer<typeof Released>

export const Answer = Released.omit({ nearest: true }).extend({
  kind: AnswerKind,
  citations: z.array(Citation),
  quotes: z.array(Quote).optional(),
})
export type Answer = z.infer<typeof Answer>

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
  /** What it had to do without, as a reranker that was down, or a model to write. */
  degraded: z.array(z.string()).optional(),
  documentsUsed: z.array(z.object({ id: z.string(), title: z.string() })),
  answer: Answer.optional(),
  /** What was read and comes closest, where the documents do not hold what was asked. */
  nearest: z.array(Citation).optional(),
  /** The question as it was understood, where it went on from the thread. */
  standalone: z.string().optional(),
  /** What was searched for. */
  queries: z.array(z.string()).optional(),
  grounding: z.object({ score: z.number(), claims: z.array(Claim) }).optional(),
  review: z
    .object({
      taskId: z.string(),
      decider: z.enum(['reviewer', 'asker']),
      parkedAt: z.string(),
      dueAt: z.string(),
      actions: z.array(ReviewAction).optional(),
      /** Its place among all that is held, by deadline, from 1. */
      place: z.object({ at: z.number().int(), of: z.number().int() }).optional(),
    })
    .optional(),
  /** While it waits for its first stage: its place there, from 1, which others may yet come before; 0 as soon as it is being taken. */
  queue: z.object({ position: z.number().int(), class: AskClass, waitingMs: z.number() }).optional(),
  /** Where it is found among traces. */
  traceId: z.string().optional(),
  threadId: z.string().optional(),
  /** The run of another branch that it asks anew. */
  replaces: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  usage: Usage,
  /** For those who may decide: one line per decision of the run, in order. */
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
  /** How much of its answer its evidence carries, from 0 to 1; none where no answer was released. */
  score: z.number().optional(),
  cents: z.number().optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

export const RunList = z.object({ items: z.array(RunSummary), next: Cursor })
export type RunList = z.infer<typeof RunList>

/** A policy is a flat record; its fields are explained in docs/policies.md. */
export const PolicyList = z.object({ items: z.array(z.looseObject({ name: z.string() })) })
export type PolicyList = z.infer<typeof PolicyList>
