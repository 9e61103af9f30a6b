import { z } from 'zod'
import { Ask, Problem } from './ask'
import { RunStatus, RunView } from './run-view'
import { Cursor, givenId } from './text'

/** One line of a batch: an independent question. A line without a `custom_id` gets its line number as id. */
export const BatchLine = Ask.omit({ threadId: true, replaces: true, whenBusy: true, class: true }).extend({
  custom_id: givenId.optional(),
})
export type BatchLine = z.infer<typeof BatchLine>

const count = z.number().int()

/** `answered`: lines that ended with a text for the asker. `failed`: lines that ended without one, or were refused. */
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

/** `finished` and `cancelled` mean that every line has ended. */
export const BatchStatus = z.enum(['running', 'cancelling', 'finished', 'cancelled'])
export type BatchStatus = z.infer<typeof BatchStatus>

export const BatchView = z.object({
  id: z.string(),
  status: BatchStatus,
  progress: BatchProgress,
  /** Why the next lines of the batch wait: the problem type that a question would get now. */
  waitsFor: z.string().optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
  /**
   * Each result is stored as long as its run. After this time, the first results are removed. Absent until a line has
   * ended.
   */
  resultsUntil: z.string().optional(),
})
export type BatchView = z.infer<typeof BatchView>

export const BatchList = z.object({ items: z.array(BatchView), next: Cursor })
export type BatchList = z.infer<typeof BatchList>

/** The result of one line so far. */
export const BatchResult = z.object({
  custom_id: z.string(),
  line: count,
  /**
   * `waiting`: not asked yet. `refused`: never asked, for the reason in `error`. `gone`: the run of the line has
   * expired.
   */
  status: z.enum(['waiting', 'refused', 'gone', ...RunStatus.options]),
  runId: z.string().optional(),
  ...RunView.pick({ reason: true, answer: true, nearest: true, grounding: true }).shape,
  error: Problem.optional(),
})
export type BatchResult = z.infer<typeof BatchResult>
