import { z } from 'zod'
import type { ModelCall } from '@plumbline/contracts'
import { Claim, Source } from '@plumbline/contracts'
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
    decider: z.enum(['reviewer', 'asker']),
  }),
])
export type Task = z.infer<typeof Task>
export type TaskOf<K extends TaskKind> = Extract<Task, { kind: K }>

/** What a stage says about its task. `at` is the store's clock, never the worker's. */
export type Report<K extends TaskKind = TaskKind> = {
  [P in K]: { taskId: string; kind: P; at: number; calls?: ModelCall[]; result: Result<P> }
}[K]
