import { Claim, Decision, type ModelCall, Source } from '@plumbline/contracts'
import { z } from 'zod'
import type { Result, TaskKind } from './task-table'

const named = { id: z.string(), openedAt: z.number() }

/** Input of the rewriter: the queries tried and the passages that failed. */
export const Failed = z.object({
  queries: z.array(z.string()),
  passageIds: z.array(z.string()),
  reason: z.string(),
  /** All passages that passed are outdated, so the next search prefers recent ones. */
  outdated: z.literal(true).optional(),
})
export type Failed = z.infer<typeof Failed>

/** One of two required approvals, of the draft or of this edited text. */
const Approval = z.object({
  by: z.string(),
  decisionId: z.string(),
  action: z.enum(['approve', 'edit']),
  text: z.string().optional(),
})
export type Approval = z.infer<typeof Approval>

/** Fields that the desk stores with an open review. The machine never decides by them. */
const deskFields = {
  /** A decision that takes effect at this time, unless the reviewer undoes it before. */
  pending: z.object({ decision: Decision, by: z.string(), at: z.number() }).optional(),
  /** The last decisions that were undone. One that is sent again takes effect without a second wait. */
  undone: z.array(z.string()).optional(),
  approvals: z.array(Approval).optional(),
}

export const Task = z.discriminatedUnion('kind', [
  z.object({ ...named, kind: z.literal('admit') }),
  z.object({ ...named, kind: z.literal('route') }),
  z.object({ ...named, kind: z.literal('plan') }),
  z.object({
    ...named,
    kind: z.literal('research'),
    step: z.number().int(),
    try: z.number().int(),
    source: Source,
    failed: Failed.optional(),
    /** Passages to fetch by id, because the thread cited them already. */
    passageIds: z.array(z.string()).optional(),
  }),
  z.object({
    ...named,
    kind: z.literal('grade-evidence'),
    step: z.number().int(),
    try: z.number().int(),
    passageIds: z.array(z.string()),
    /** Its passages were written from before they were graded. */
    late: z.boolean().optional(),
  }),
  z.object({
    ...named,
    kind: z.literal('generate'),
    draft: z.number().int(),
    /** Supported sentences of the last draft, to keep word for word. */
    keep: z.array(z.string()).optional(),
    avoid: z.array(Claim).optional(),
    guidance: z.string().optional(),
  }),
  z.object({
    ...named,
    kind: z.literal('reply'),
    to: z.enum(['general', 'clarify', 'narrow', 'decline', 'knowledge']),
    logic: z.string(),
  }),
  z.object({ ...named, kind: z.literal('grade-answer'), draft: z.number().int() }),
  z.object({
    ...named,
    kind: z.literal('review'),
    draft: z.number().int(),
    dueAt: z.number(),
    /** The first deadline has passed. The task waits until a second one. */
    escalatedAt: z.number().optional(),
    decider: z.enum(['reviewer', 'asker']),
    ...deskFields,
  }),
])
export type Task = z.infer<typeof Task>
export type TaskOf<K extends TaskKind> = Extract<Task, { kind: K }>

/** A stage's report on its task. `at` is the store's clock, never the worker's; `beganAt` is when the work began, after the wait in its queue. */
export type Report<K extends TaskKind = TaskKind> = {
  [P in K]: { taskId: string; kind: P; beganAt?: number; at: number; calls?: ModelCall[]; result: Result<P> }
}[K]
