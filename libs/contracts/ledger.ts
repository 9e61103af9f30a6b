import { z } from 'zod'
import { Checked, Working } from './claim'
import { Citation, CitedPassage, Grade, QuotedPlace, Scores } from './passage'
import { Answer, EndStatus, Overall, PlannedStep, Released, ReviewAction, RouteTo, Source, Strategy } from './run-view'
import { ModelCall } from './usage'

const asker = z.literal('asker')
const desk = z.literal('desk')
const event = <T extends string, A extends z.ZodLiteral<'asker' | 'desk'>, S extends z.core.$ZodShape>(
  type: T,
  audience: A,
  shape: S,
) =>
  z.object({
    type: z.literal(type),
    audience,
    at: z.number(),
    task: z.string().optional(),
    beganAt: z.number().optional(),
    ...shape,
  })

const stepTry = { step: z.number().int(), try: z.number().int() }

const ended = event('ended', asker, {
  status: EndStatus,
  reason: z.string(),
  answer: Released.optional(),
  /** Only reviewers get this field. */
  by: z.string().optional(),
})

/** A checked part of the answer, released before the rest is written. `from` is its offset in the answer. */
const checked = event('checked', asker, {
  draft: z.number().int(),
  from: z.number().int(),
  text: z.string(),
  citations: z.array(CitedPassage),
})

/** An event in the history of a run. The asker never sees events with the audience `desk`. */
export const LedgerEvent = z.discriminatedUnion('type', [
  event('asked', asker, {
    question: z.string(),
    policy: z.string(),
    requestId: z.string().optional(),
    traceparent: z.string().optional(),
  }),
  event('refused', asker, { reason: z.string() }),
  event('routed', asker, {
    to: RouteTo,
    logic: z.string(),
    collections: z.array(z.string()),
    standalone: z.string().optional(),
  }),
  event('planned', asker, { logic: z.string(), steps: z.array(PlannedStep) }),
  event('step-opened', asker, { ...stepTry, question: z.string(), source: Source }),
  event('researched', asker, { ...stepTry, source: Source, found: z.number().int() }),
  event('queried', desk, {
    ...stepTry,
    queries: z.array(z.string()),
    strategy: Strategy.optional(),
    reason: z.string().optional(),
    passages: z.array(z.object({ id: z.string(), title: z.string(), scores: Scores })),
    degraded: z.array(z.string()).optional(),
    cached: z.number().int().optional(),
  }),
  event('evidence-graded', desk, {
    ...stepTry,
    overall: Overall,
    relevant: z.number().int(),
    grades: z.array(Grade.extend({ passageId: z.string() })),
  }),
  event('writing', asker, { draft: z.number().int() }),
  event('drafted', desk, {
    draft: z.number().int(),
    text: z.string(),
    citations: z.array(CitedPassage),
    workings: z.array(Working).optional(),
    quotes: z.array(QuotedPlace).optional(),
  }),
  event('checking', asker, { draft: z.number().int() }),
  checked,
  /** A later check no longer supports the text of earlier `checked` events. The run therefore waits for a reviewer. */
  event('doubted', asker, {}),
  /** A reviewer released an answer that replaces the text which `checked` events had already shown to the asker. */
  event('corrected', asker, {}),
  /** A reviewer rejected the answer, including the text of the `checked` events. */
  event('withdrawn', asker, {}),
  event('answer-graded', desk, {
    draft: z.number().int(),
    score: z.number(),
    ...Checked.shape,
    /** True if the check ran without a model, because the model for checks was unavailable. */
    degraded: z.boolean().optional(),
  }),
  event('counter-spent', desk, { counter: z.string(), why: z.string(), left: z.number().int() }),
  event('parked', asker, { reason: z.string(), decider: z.enum(['reviewer', 'asker']) }),
  /** No reviewer decided before the first deadline. `dueAt` is the second deadline, in ms since 1970. */
  event('escalated', desk, { dueAt: z.number() }),
  event('decided', desk, {
    action: ReviewAction,
    by: z.string(),
    decisionId: z.string(),
    note: z.string().optional(),
    guidance: z.string().optional(),
    text: z.string().optional(),
  }),
  /** The first of two approvals. This draft is released only after the second one. */
  event('approved', desk, {
    action: ReviewAction,
    by: z.string(),
    decisionId: z.string(),
    note: z.string().optional(),
  }),
  event('review-noted', desk, { by: z.string(), text: z.string() }),
  event('called', desk, { calls: z.array(ModelCall) }),
  /** A note about the run. It never quotes a document. */
  event('noted', asker, { note: z.string() }),
  event('refused-by-model', desk, { reason: z.string() }),
  event('abandoned', desk, { reason: z.string() }),
  ended,
])
export type LedgerEvent = z.infer<typeof LedgerEvent>

const Ended = ended.extend({
  answer: Answer.optional(),
  nearest: z.array(Citation).optional(),
})
type Ended = z.infer<typeof Ended>

const CheckedPart = checked.extend({ citations: z.array(Citation) })
type CheckedPart = z.infer<typeof CheckedPart>

/**
 * A piece of the unchecked draft, which replaces the text from `from` on. A new `task` or `start` begins a new draft.
 */
export const DraftPiece = z.object({
  type: z.literal('draft'),
  unchecked: z.literal(true),
  task: z.string(),
  start: z.number().int(),
  from: z.number().int(),
  text: z.string(),
})
export type DraftPiece = z.infer<typeof DraftPiece>

/**
 * The store no longer has the event `after`, where the client wanted to continue. Either all stored events follow with
 * new ids, or the stream ends.
 */
const Gap = z.object({ type: z.literal('gap'), after: z.string() })

type Unchanged = Exclude<LedgerEvent, { type: 'ended' | 'checked' }>
export type StreamEvent = Unchanged | Ended | CheckedPart | DraftPiece | z.infer<typeof Gap>
export const StreamEvent: z.ZodType<StreamEvent> = z.union([
  Ended,
  CheckedPart,
  DraftPiece,
  Gap,
  LedgerEvent.refine((event): event is Unchanged => event.type !== 'ended' && event.type !== 'checked'),
])

export const LedgerPage = z.object({
  items: z.array(z.object({ id: z.string(), event: StreamEvent })),
  ended: z.boolean(),
})
export type LedgerPage = z.infer<typeof LedgerPage>
