import { Claim, Decision, type ModelCall, Source } from '@plumbline/contracts'
import { z } from 'zod'
import type { Result, TaskKind } from './outcomes'

const named = { id: z.string(), openedAt: z.number() }

/** What failed before, for the rewriter: the queries tried and the passages that did not pass. */
export const Failed = z.object({
  queries: z.array(z.string()),
  passageIds: z.array(z.string()),
  reason: z.string(),
  /** All that passed is outdated: what is found next is to be recent. */
  outdated: z.literal(true).optional(),
})
export type Failed = z.infer<typeof Failed>

/** One of two people agreed to release the draft so: as it stands, or as this text. */
const Approval = z.object({
  by: z.string(),
  decisionId: z.string(),
  action: z.enum(['approve', 'edit']),
  text: z.string().optional(),
})
export type Approval = z.infer<typeof Approval>

/** What the desk keeps with an open review; the machine decides nothing by it. */
const deskFields = {
  /** A decision that counts at this time, unless whoever made it takes it back before. */
  pending: z.object({ decision: Decision, by: z.string(), at: z.number() }).optional(),
  /** The last decisions that were taken back: one that is sent again does not wait anew. */
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
    /** To be fetched as they are: the thread has them already. */
    passageIds: z.array(z.string()).optional(),
  }),
  z.object({
    ...named,
    kind: z.literal('grade-evidence'),
    step: z.number().int(),
    try: z.number().int(),
    passageIds: z.array(z.string()),
  }),
  z.object({
    ...named,
    kind: z.literal('generate'),
    draft: z.number().int(),
    /** Sentences of the last draft that stood their check: to be kept word for word. */
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
    /** Its first deadline has passed, and it waits until a second one. */
    escalatedAt: z.number().optional(),
    decider: z.enum(['reviewer', 'asker']),
    ...deskFields,
  }),
])
export type Task = z.infer<typeof Task>
export type TaskOf<K extends TaskKind> = Extract<Task, { kind: K }>

/** What a stage says about its task. `at` is the store's clock, never the worker's. */
export type Report<K extends TaskKind = TaskKind> = {
  [P in K]: { taskId: string; kind: P; at: number; calls?: ModelCall[]; result: Result<P> }
}[K]
