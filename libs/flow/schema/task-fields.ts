import { Decision } from '@plumbline/contracts'
import { z } from 'zod'

/** Returns the schema of a task. `fields`: the part that only this kind of task carries. */
export const task = <K extends string, F extends z.ZodRawShape>(kind: K, fields: F) =>
  z.object({ id: z.string(), openedAt: z.number(), kind: z.literal(kind), ...fields })

export const Failed = z.object({
  queries: z.array(z.string()),
  passageIds: z.array(z.string()),
  reason: z.string(),
  /** True if all passages that passed their grading are outdated. The next search then prefers recent passages. */
  outdated: z.literal(true).optional(),
})
export type Failed = z.infer<typeof Failed>

/** One of the two approvals that a release may need: of the draft as it is or, if `text` is set, of the edited text. */
const Approval = z.object({
  by: z.string(),
  decisionId: z.string(),
  action: z.enum(['approve', 'edit']),
  text: z.string().optional(),
})
export type Approval = z.infer<typeof Approval>

/** Fields that the review desk stores with an open review. The state machine ignores them. */
export const deskFields = {
  /** A decision that takes effect at `at`. The reviewer can undo it until then. */
  pending: z.object({ decision: Decision, by: z.string(), at: z.number() }).optional(),
  /** The ids of the decisions that were undone last. A repeated request with one of these ids is rejected. */
  undone: z.array(z.string()).optional(),
  approvals: z.array(Approval).optional(),
  /** The latest reviewers whose assignment was removed. Plumbline does not assign the draft to them again. */
  declined: z.array(z.string()).optional(),
}
