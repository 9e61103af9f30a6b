import { z } from 'zod'
import { RunStatus, RunView } from './run-view'
import { Cursor, shownName } from './text'

export const ThreadSummary = z.object({
  id: z.string(),
  title: z.string(),
  runs: z.number().int(),
  branchOf: z.string().optional(),
  lastStatus: RunStatus.optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type ThreadSummary = z.infer<typeof ThreadSummary>

export const ThreadList = z.object({ items: z.array(ThreadSummary), next: Cursor })
export type ThreadList = z.infer<typeof ThreadList>

/** The runs of a thread, the oldest first. Each run looks as its asker may see it. */
export const ThreadView = ThreadSummary.extend({ items: z.array(RunView) })
export type ThreadView = z.infer<typeof ThreadView>

export const ThreadFormat = z.enum(['json', 'jsonl', 'markdown'])
export type ThreadFormat = z.infer<typeof ThreadFormat>

export const ThreadTitle = z.strictObject({
  title: shownName.min(1, 'enter a title').max(300, 'use at most 300 characters'),
})
export type ThreadTitle = z.infer<typeof ThreadTitle>
