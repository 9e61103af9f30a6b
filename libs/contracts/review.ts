import { z } from 'zod'
import { AnswerPart, Claim } from './claim'
import { LedgerEvent } from './ledger'
import { Citation, CitedPassage, Evidence, Quote } from './passage'
import { ReviewAction, RunView } from './run-view'
import { Cursor, givenId, plainText } from './text'

const decisionFields = {
  taskId: givenId,
  decisionId: givenId,
  note: plainText.max(2_000).optional(),
  /** For this time in ms, the reviewer can undo the decision. Without this field, the decision takes effect at once. */
  undoMs: z.number().int().min(0).max(10_000).optional(),
}
/** If `keep` is true, the same question gets this answer again, until a document that the answer cites changes. */
const released = { keep: z.boolean().optional() }
export const Decision = z.discriminatedUnion('action', [
  z.strictObject({ ...decisionFields, ...released, action: z.literal('approve') }),
  z.strictObject({
    ...decisionFields,
    ...released,
    action: z.literal('edit'),
    text: plainText.trim().min(1).max(20_000),
    /** The citations of the edited text, all to passages that the run found. Defaults to the citations of the draft. */
    citations: z
      .array(CitedPassage.strict())
      .max(100)
      .refine((all) => new Set(all.map(({ n }) => n)).size === all.length, 'give each passage a different number')
      .optional(),
  }),
  z.strictObject({ ...decisionFields, action: z.literal('retry'), guidance: plainText.max(2_000).optional() }),
  z.strictObject({ ...decisionFields, action: z.literal('research'), guidance: plainText.trim().min(1).max(2_000) }),
  z.strictObject({ ...decisionFields, action: z.literal('reject') }),
])
export type Decision = z.infer<typeof Decision>

/**
 * The reviewer who currently has the draft open. `by` is a key id, or a text such as `rita as named by key-1`. Nobody
 * has verified the name in such a text.
 */
export const Lease = z.object({ by: z.string(), until: z.string() })
export type Lease = z.infer<typeof Lease>

/** A decision that takes effect at the time `at`. Until then, the same reviewer may undo the decision. */
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

export const Assignment = z.strictObject({
  to: z
    .string()
    .regex(/^[\w.@+-]{1,64}$/, 'send at most 64 characters: letters, digits and . @ + - _')
    .refine(
      (to) => to !== 'none',
      'a reviewer cannot have the name "none", because the filter "none" lists unassigned runs: send null to assign the run to nobody',
    )
    .nullable(),
})
export type Assignment = z.infer<typeof Assignment>

/** A reviewer takes work: drafts are assigned automatically, but never more than `atMost` at the same time. */
export const TakeWork = z.strictObject({ atMost: z.number().int().min(1).max(100) })
export type TakeWork = z.infer<typeof TakeWork>

/** The state of a reviewer who takes work. `assigned` is the number of drafts that are assigned to the reviewer now. */
export const Availability = z.object({ atMost: z.number().int(), assigned: z.number().int(), until: z.string() })
export type Availability = z.infer<typeof Availability>

export const Undo = z.strictObject({ decisionId: givenId })
export type Undo = z.infer<typeof Undo>

/** Decides about several drafts at once. Each item names a run and the draft that the reviewer saw (`taskId`). */
export const BulkDecision = z.strictObject({
  action: z.enum(['approve', 'reject']),
  note: plainText.max(2_000).optional(),
  decisionId: givenId,
  undoMs: decisionFields.undoMs,
  items: z
    .array(z.strictObject({ runId: givenId, taskId: givenId }))
    .min(1)
    .max(200),
})
export type BulkDecision = z.infer<typeof BulkDecision>

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
  /** The possible decisions. Once the run has had `maxMoves` tasks, its draft can only be approved or rejected. */
  actions: z.array(ReviewAction),
  score: z.number().nullable(),
  /** The percentage of unsupported claims, plus 100 for a contradiction or conflict, plus 100 for a sensitive topic. */
  risk: z.number().int(),
  /** True if the draft contradicts a passage. A reviewer who approves such a draft must write a note. */
  contradicted: z.boolean().optional(),
  lease: Lease.nullable(),
  /** The time when the first deadline passed without a decision. Present only if the rules set a second deadline. */
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

const countsByName = z.record(z.string(), z.number().int())
export const ReviewList = z.object({
  items: z.array(ReviewRow),
  next: Cursor,
  /** These numbers count all matching runs, not only the runs on this page. */
  counts: z.object({
    total: z.number().int(),
    policies: countsByName,
    reasons: countsByName,
    collections: countsByName,
    assignees: countsByName,
    escalated: z.number().int().optional(),
    due: z.number().int().optional(),
    /** The number of the tenant's runs that other reviewers have open. */
    taken: z.number().int().optional(),
  }),
  /** The matching runs that the caller may not read, and the access tags that they need. The tag `*` means all tags. */
  hidden: z.object({ total: z.number().int(), tags: z.array(z.string()) }).optional(),
  oldestAgeMs: z.number().int().nullable(),
  /** The caller's own work, whatever the filters are. `atMost` is present while drafts are assigned automatically. */
  yours: z.object({ assigned: z.number().int(), atMost: z.number().int().optional() }).optional(),
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
  ruleWords: z.array(z.string()).optional(),
  approvedBy: z.array(z.string()).optional(),
  /** The text that the first reviewer approved. The second must send the same text, or approve the draft unchanged. */
  approvedText: z.string().optional(),
})
export type ReviewView = z.infer<typeof ReviewView>
