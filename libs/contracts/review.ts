import { z } from 'zod'
import { AnswerPart, Claim } from './claim'
import { LedgerEvent } from './ledger'
import { Citation, CitedPassage, Evidence, Quote } from './passage'
import { ReviewAction, RunView } from './run-view'
import { Cursor, givenId, plainText } from './text'

const named = {
  taskId: givenId,
  decisionId: givenId,
  note: plainText.max(2_000).optional(),
  /** How long the decision can be undone before it takes effect. Without it, the decision takes effect at once. */
  undoMs: z.number().int().min(0).max(10_000).optional(),
}
/** Pins the answer for the same question until a document it cites changes. */
const released = { keep: z.boolean().optional() }
export const Decision = z.discriminatedUnion('action', [
  z.strictObject({ ...named, ...released, action: z.literal('approve') }),
  z.strictObject({
    ...named,
    ...released,
    action: z.literal('edit'),
    text: plainText.trim().min(1).max(20_000),
    /** Everything the text cites, from the evidence of the run. Without it, the text has the citations of the draft. */
    citations: z
      .array(CitedPassage.strict())
      .max(100)
      .refine((all) => new Set(all.map(({ n }) => n)).size === all.length, 'give each passage a number of its own')
      .optional(),
  }),
  z.strictObject({ ...named, action: z.literal('retry'), guidance: plainText.max(2_000).optional() }),
  z.strictObject({ ...named, action: z.literal('research'), guidance: plainText.trim().min(1).max(2_000) }),
  z.strictObject({ ...named, action: z.literal('reject') }),
])
export type Decision = z.infer<typeof Decision>

/**
 * A reviewer has the draft open until `until`; the lease expires. `by` is a key, or `rita as named by` a key: that
 * name is unverified.
 */
export const Lease = z.object({ by: z.string(), until: z.string() })
export type Lease = z.infer<typeof Lease>

/** A decision that takes effect at `at`, and its author, who may undo it until then. */
export const PendingDecision = z.object({
  decisionId: z.string(),
  action: ReviewAction,
  by: z.string(),
  at: z.string(),
})
export type PendingDecision = z.infer<typeof PendingDecision>

export const ReviewNote = z.object({ by: z.string(), at: z.string(), text: z.string() })
export type ReviewNote = z.infer<typeof ReviewNote>

export const NewNote = z.strictObject({ text: plainText.trim().min(1, 'enter a note').max(2_000) })
export type NewNote = z.infer<typeof NewNote>

/** The assignee of a parked run. Null removes it. */
export const Assignment = z.strictObject({
  to: z
    .string()
    .regex(/^[\w.@+-]{1,64}$/, 'send letters, digits and . @ + - _, at most 64')
    .refine((to) => to !== 'none', 'none is the filter for unassigned runs: send null')
    .nullable(),
})
export type Assignment = z.infer<typeof Assignment>

/** Undoes a pending decision. */
export const Undo = z.strictObject({ decisionId: givenId })
export type Undo = z.infer<typeof Undo>

/** One action for many parked runs, each by the draft that was seen. */
export const BulkDecision = z.strictObject({
  action: z.enum(['approve', 'reject']),
  note: plainText.max(2_000).optional(),
  decisionId: givenId,
  undoMs: named.undoMs,
  items: z
    .array(z.strictObject({ runId: givenId, taskId: givenId }))
    .min(1)
    .max(200),
})
export type BulkDecision = z.infer<typeof BulkDecision>

/** The result for each run: decided, or the problem. `until`: the decision can be taken back until then. */
export const BulkResult = z.object({
  items: z.array(
    z.object({
      runId: z.string(),
      decided: z.boolean(),
      until: z.string().optional(),
      problem: z.string().optional(),
    }),
  ),
})
export type BulkResult = z.infer<typeof BulkResult>

/** Takes back a decision on many runs. */
export const BulkUndo = z.strictObject({ decisionId: givenId, runIds: z.array(givenId).min(1).max(200) })
export type BulkUndo = z.infer<typeof BulkUndo>
export const BulkUndone = z.object({
  items: z.array(z.object({ runId: z.string(), undone: z.boolean(), problem: z.string().optional() })),
})
export type BulkUndone = z.infer<typeof BulkUndone>

const parked = {
  taskId: z.string(),
  decider: z.enum(['reviewer', 'asker']),
  reason: z.string(),
  parkedAt: z.string(),
  dueAt: z.string(),
  /** The decisions possible now. A run without moves left can only end. */
  actions: z.array(ReviewAction),
  /** Supported claims ÷ all claims. Null if no claim of the draft was checked. */
  score: z.number().nullable(),
  /**
   * 0 to 300: percent of unsupported claims, plus 100 if contradicted or in conflict, plus 100 if it cites sensitive
   * evidence.
   */
  risk: z.number().int(),
  /** Approving the draft needs a note, because the documents contradict a claim of it. */
  contradicted: z.boolean().optional(),
  lease: Lease.nullable(),
  /** When its first deadline passed without a decision, if the rules give it a second one. */
  escalatedAt: z.string().optional(),
  assignee: z.string().nullable().optional(),
  pending: PendingDecision.nullable().optional(),
}

export const ReviewRow = z.object({
  runId: z.string(),
  question: z.string(),
  policy: z.string(),
  collections: z.array(z.string()),
  ...parked,
})
export type ReviewRow = z.infer<typeof ReviewRow>

export const ReviewOrder = z.enum(['deadline', 'age', 'risk'])
export type ReviewOrder = z.infer<typeof ReviewOrder>

const counts = z.record(z.string(), z.number().int())
export const ReviewList = z.object({
  items: z.array(ReviewRow),
  next: Cursor,
  /** Of all matching parked runs, the same on every page. */
  counts: z.object({
    total: z.number().int(),
    policies: counts,
    reasons: counts,
    collections: counts,
    assignees: counts,
    /** Those whose first deadline passed. */
    escalated: z.number().int().optional(),
    /** Those due until `dueBy`, where the query names it. */
    due: z.number().int().optional(),
    /** Those of the tenant that other reviewers have open. */
    taken: z.number().int().optional(),
  }),
  /** How long the oldest of them has been parked. Null without any. */
  oldestAgeMs: z.number().int().nullable(),
})
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
  claims: z.array(Claim),
  parts: z.array(AnswerPart),
  evidence: z.array(Evidence),
  trace: z.array(z.object({ id: z.string(), event: LedgerEvent })),
  notes: z.array(ReviewNote).optional(),
  /** The words of a rule that the question contains. */
  ruleWords: z.array(z.string()).optional(),
  /** The reviewers who approved it already, if it needs two approvals. */
  approvedBy: z.array(z.string()).optional(),
  /**
   * The text approved instead of the draft. The second reviewer sends the same text, or approves the draft
   * unchanged.
   */
  approvedText: z.string().optional(),
})
export type ReviewView = z.infer<typeof ReviewView>
