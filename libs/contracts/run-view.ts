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
  /** Further queries of the step. */
  queries: z.array(z.string()).optional(),
})
export type PlannedStep = z.infer<typeof PlannedStep>

export const Source = z.enum(['index', 'web'])
export type Source = z.infer<typeof Source>

export const Strategy = z.enum(['expand-terms', 'narrow-focus', 'rephrase-intent', 'decompose', 'add-context'])
export type Strategy = z.infer<typeof Strategy>

export const Overall = z.enum(['correct', 'ambiguous', 'incorrect'])
export type Overall = z.infer<typeof Overall>

/** `continue`: with the passages of the thread. */
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

/** An answer as stored in the run and its ledger. Views replace the cited ids with citations. */
export const Released = z.object({
  /** `quoted`: passages word for word, without written text. Older stored runs are all written. */
  kind: AnswerKind.optional(),
  text: z.string(),
  citations: z.array(CitedPassage),
  quotes: z.array(QuotedPlace).optional(),
  /** Shown before the text: the draft was released without passing its check. */
  caveat: z.string().optional(),
  /** Shown after the text: a question to the asker, so that the next answer can be narrower. */
  question: z.string().optional(),
  /** The run and time of an equal question whose checked answer was reused. */
  cached: z.object({ runId: z.string(), at: z.string() }).optional(),
  /** Ids of the nearest passages, if none answers the question. */
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
  /** Missing parts, such as a reranker or a model that was down. */
  degraded: z.array(z.string()).optional(),
  documentsUsed: z.array(z.object({ id: z.string(), title: z.string() })),
  answer: Answer.optional(),
  /** The nearest passages, if the documents do not answer the question. */
  nearest: z.array(Citation).optional(),
  /** The standalone question, if it continued a thread. */
  standalone: z.string().optional(),
  /** The queries that were searched. */
  queries: z.array(z.string()).optional(),
  grounding: z.object({ score: z.number(), claims: z.array(Claim) }).optional(),
  review: z
    .object({
      taskId: z.string(),
      decider: z.enum(['reviewer', 'asker']),
      parkedAt: z.string(),
      dueAt: z.string(),
      actions: z.array(ReviewAction).optional(),
      /** Its position among all held drafts, by deadline, from 1. */
      place: z.object({ at: z.number().int(), of: z.number().int() }).optional(),
    })
    .optional(),
  /**
   * Its position in the queue of its first stage, from 1. Others may still come before it; 0 while it is being
   * taken.
   */
  queue: z.object({ position: z.number().int(), class: AskClass, waitingMs: z.number() }).optional(),
  /** The id of its trace. */
  traceId: z.string().optional(),
  threadId: z.string().optional(),
  /** The run of another branch that it asks again. */
  replaces: z.string().optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  usage: Usage,
  /** For reviewers: one line per decision of the run, in order. */
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
  /** The supported share of its answer, from 0 to 1. Missing without a released answer. */
  score: z.number().optional(),
  cents: z.number().optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

export const RunList = z.object({ items: z.array(RunSummary), next: Cursor })
export type RunList = z.infer<typeof RunList>

/** A policy is a flat record. docs/understand/policies.md explains its fields. */
export const PolicyList = z.object({ items: z.array(z.looseObject({ name: z.string() })) })
export type PolicyList = z.infer<typeof PolicyList>
