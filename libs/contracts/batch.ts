import { z } from 'zod'
import { Ask, Problem } from './ask'
import { RunStatus, RunView } from './run-view'
import { Cursor, givenId } from './text'

/** One question of a batch. Without a `custom_id`, the line number becomes the id. */
export const BatchLine = Ask.omit({ threadId: true, replaces: true, whenBusy: true, class: true }).extend({
  custom_id: givenId.optional(),
})
export type BatchLine = z.infer<typeof BatchLine>

const count = z.number().int()

/** `answered` counts lines with a text for the asker, and `failed` lines that ended without a text or were refused. */
export const BatchProgress = z.object({
  total: count,
  waiting: count,
  running: count,
  parked: count,
  answered: count,
  failed: count,
  cancelled: count,
})
export type BatchProgress = z.infer<typeof BatchProgress>

export const BatchStatus = z.enum(['running', 'cancelling', 'finished', 'cancelled'])
export type BatchStatus = z.infer<typeof BatchStatus>

export const BatchView = z.object({
  id: z.string(),
  status: BatchStatus,
  progress: BatchProgress,
  /** The type of the problem that delays the next questions of the batch, such as a spent budget. */
  waitsFor: z.string().optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
  resultsUntil: z.string().optional(),
})
export type BatchView = z.infer<typeof BatchView>

export const BatchList = z.object({ items: z.array(BatchView), next: Cursor })
export type BatchList = z.infer<typeof BatchList>

export const BatchResult = z.object({
  custom_id: z.string(),
  line: count,
  /** `waiting`: not asked yet. `refused`: the question was not accepted, see `error`. `gone`: the run has expired. */
  status: z.enum(['waiting', 'refused', 'gone', ...RunStatus.options]),
  runId: z.string().optional(),
  ...RunView.pick({ reason: true, answer: true, nearest: true, grounding: true }).shape,
  error: Problem.optional(),
})
export type BatchResult = z.infer<typeof BatchResult>
