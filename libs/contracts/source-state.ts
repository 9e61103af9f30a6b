import { z } from 'zod'
import { AccessTags, name } from './ask'
import { SourceSettings } from './source'
import { plainText } from './text'

/** When a source is synced. With `button`, this happens only on request. The times of a cron expression are in UTC. */
export const SourceSchedule = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('button') }),
  z.strictObject({
    by: z.literal('interval'),
    minutes: z
      .number()
      .int('write whole minutes')
      .min(1, 'use at least one minute')
      .max(43_200, 'use at most 43,200 minutes (30 days)'),
  }),
  z.strictObject({
    by: z.literal('cron'),
    cron: z
      .string()
      .max(200)
      .regex(
        /^\s*\S+(?:\s+\S+){4}\s*$/,
        'write five fields: minute, hour, day, month and weekday, such as 0 6 * * 1-5',
      ),
  }),
])
export type SourceSchedule = z.infer<typeof SourceSchedule>

/**
 * A rule that gives access tags to files by their paths. The first rule that matches a path applies. The whole tenant
 * may read files without tags.
 */
export const SourceAccessRule = z.strictObject({
  /** `*` matches any text between two slashes, `?` one character, and `**` any number of folders. */
  paths: plainText
    .min(1, 'write a path pattern, such as hr/**')
    .max(300, 'use at most 300 characters')
    .refine((paths) => !paths.startsWith('/'), 'write paths without a slash at the beginning, such as hr/**'),
  access: AccessTags,
})
export type SourceAccessRule = z.infer<typeof SourceAccessRule>

export const NewSource = z.strictObject({
  settings: SourceSettings,
  collection: name.default('default'),
  schedule: SourceSchedule.default({ by: 'button' }),
  access: z.array(SourceAccessRule).max(100, 'use at most 100 rules').default([]),
})
export type NewSource = z.infer<typeof NewSource>

export const RunSource = z.strictObject({
  /** Removes the documents of vanished files, even if these are more than half of the source's documents. */
  confirmRemovals: z.boolean().default(false),
})
export type RunSource = z.infer<typeof RunSource>

const count = z.number().int().min(0)
export const SourceCounts = z.object({
  added: count,
  changed: count,
  moved: count,
  removed: count,
  unchanged: count,
  /** The number of files in unsupported formats. */
  skipped: count,
  failed: count,
})
export type SourceCounts = z.infer<typeof SourceCounts>

export const SourceTask = z.enum(['list', 'remove', 'bring', 'index'])
export type SourceTask = z.infer<typeof SourceTask>

export const SourceRunning = z.object({
  startedAt: z.string(),
  task: SourceTask,
  done: count,
  of: count,
  counts: SourceCounts,
})
export type SourceRunning = z.infer<typeof SourceRunning>

export const SourceFailure = z.object({ path: z.string(), error: z.string() })
export type SourceFailure = z.infer<typeof SourceFailure>

export const SourceLastRun = z.object({
  startedAt: z.string(),
  endedAt: z.string(),
  counts: SourceCounts,
  problem: z.string().optional(),
  /** The number of vanished documents that wait for a confirmation. A sync with `confirmRemovals` removes them. */
  toConfirm: count.optional(),
  failures: z.array(SourceFailure),
})
export type SourceLastRun = z.infer<typeof SourceLastRun>

export const SourceView = z.object({
  name: z.string(),
  settings: SourceSettings,
  collection: z.string(),
  schedule: SourceSchedule,
  access: z.array(SourceAccessRule),
  createdAt: z.string(),
  status: z.enum(['idle', 'waiting', 'running', 'removing']),
  documents: count,
  running: SourceRunning.optional(),
  last: SourceLastRun.optional(),
  nextRunAt: z.string().optional(),
})
export type SourceView = z.infer<typeof SourceView>

export const SourceList = z.object({ items: z.array(SourceView) })
export type SourceList = z.infer<typeof SourceList>
