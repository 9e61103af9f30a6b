import { Claim, Decision, type ModelCall, Source } from '@plumbline/contracts'
import { z } from 'zod'
import type { Result, TaskKind } from './task-table'

const taskFields = { id: z.string(), openedAt: z.number() }

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
const deskFields = {
  /** A decision that takes effect at `at`. The reviewer can undo it until then. */
  pending: z.object({ decision: Decision, by: z.string(), at: z.number() }).optional(),
  /** The ids of the decisions that were undone last. A repeated request with one of these ids is rejected. */
  undone: z.array(z.string()).optional(),
  approvals: z.array(Approval).optional(),
  /** The latest reviewers whose assignment was removed. Plumbline does not assign the draft to them again. */
  declined: z.array(z.string()).optional(),
}

export const Task = z.discriminatedUnion('kind', [
  z.object({ ...taskFields, kind: z.literal('admit') }),
  z.object({ ...taskFields, kind: z.literal('route') }),
  z.object({ ...taskFields, kind: z.literal('plan') }),
  z.object({
    ...taskFields,
    kind: z.literal('research'),
    step: z.number().int(),
    try: z.number().int(),
    source: Source,
    failed: Failed.optional(),
    /** The ids of passages that the thread already cited. */
    passageIds: z.array(z.string()).optional(),
  }),
  z.object({
    ...taskFields,
    kind: z.literal('grade-evidence'),
    step: z.number().int(),
    try: z.number().int(),
    passageIds: z.array(z.string()),
    /** True if a draft was written before these passages were graded. */
    late: z.boolean().optional(),
  }),
  z.object({
    ...taskFields,
    kind: z.literal('generate'),
    draft: z.number().int(),
    /** Supported sentences of the last draft, which the next draft keeps word for word. */
    keep: z.array(z.string()).optional(),
    avoid: z.array(Claim).optional(),
    guidance: z.string().optional(),
  }),
  z.object({
    ...taskFields,
    kind: z.literal('reply'),
    to: z.enum(['general', 'clarify', 'narrow', 'decline', 'knowledge']),
    logic: z.string(),
  }),
  z.object({ ...taskFields, kind: z.literal('grade-answer'), draft: z.number().int() }),
  z.object({
    ...taskFields,
    kind: z.literal('review'),
    draft: z.number().int(),
    dueAt: z.number(),
    /** The time when the first deadline of the review passed and a second one began. */
    escalatedAt: z.number().optional(),
    decider: z.enum(['reviewer', 'asker']),
    ...deskFields,
  }),
])
export type Task = z.infer<typeof Task>
export type TaskOf<K extends TaskKind> = Extract<Task, { kind: K }>

/** `at`: the end of the task, by the store's clock. `beganAt`: the start of the task, without the time in the queue. */
export type Report<K extends TaskKind = TaskKind> = {
  [P in K]: { taskId: string; kind: P; beganAt?: number; at: number; calls?: ModelCall[]; result: Result<P> }
}[K]
