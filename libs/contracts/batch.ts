import { z } from 'zod'
import { Ask, Problem } from './ask'
import { RunStatus, RunView } from './run-view'
import { Cursor, givenId } from './text'

/** One line of a batch: an ask that stands by itself. Without a `custom_id` it has the number of its line. */
export const BatchLine = Ask.omit({ threadId: true, replaces: true, whenBusy: true, class: true }).extend({
  custom_id: givenId.optional(),
})
export type BatchLine = z.infer<typeof BatchLine>

const count = z.number().int()

/** `answered`: ended with words for its asker. `failed`: ended without any, or refused. */
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

/** `finished` and `cancelled`: every line of it has ended. */
export const BatchStatus = z.enum(['running', 'cancelling', 'finished', 'cancelled'])
export type BatchStatus = z.infer<typeof BatchStatus>

export const BatchView = z.object({
  id: z.string(),
  status: BatchStatus,
  progress: BatchProgress,
  /** Why its next lines are not asked yet: the kind of problem that an ask of them would be answered with now. */
  waitsFor: z.string().optional(),
  createdAt: z.string(),
  endedAt: z.string().optional(),
  /** Each result is kept as long as its run; from then on the first of them are gone. Absent until a line has ended. */
  resultsUntil: z.string().optional(),
})
export type BatchView = z.infer<typeof BatchView>

export const BatchList = z.object({ items: z.array(BatchView), next: Cursor })
export type BatchList = z.infer<typeof BatchList>

/** What came of one line, so far. */
export const BatchResult = z.object({
  custom_id: z.string(),
  line: count,
  /** `waiting`: not asked yet. `refused`: it never will be, and `error` says why. `gone`: its run is kept no more. */
  status: z.enum(['waiting', 'refused', 'gone', ...RunStatus.options]),
  runId: z.string().optional(),
  ...RunView.pick({ reason: true, answer: true, nearest: true, grounding: true }).shape,
  error: Problem.optional(),
})
export type BatchResult = z.infer<typeof BatchResult>
