import { z } from 'zod'
import { AccessTags, name } from './ask'
import { SourceSettings } from './source'
import { plainText } from './text'

/** When a source is brought up to date by itself; `button`: only when somebody asks for it. Times of a cron line are UTC. */
export const SourceSchedule = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('button') }),
  z.strictObject({
    by: z.literal('interval'),
    minutes: z
      .number()
      .int('write whole minutes')
      .min(1, 'one minute at least')
      .max(43_200, '43,200 minutes (30 days) at most'),
  }),
  z.strictObject({
    by: z.literal('cron'),
    cron: z
      .string()
      .max(200)
      .regex(/^\s*\S+(?:\s+\S+){4}\s*$/, 'write five fields: minute, hour, day, month, weekday, as 0 6 * * 1-5'),
  }),
])
export type SourceSchedule = z.infer<typeof SourceSchedule>

/** Documents whose path matches carry these tags; the first rule that matches a path counts. No tags: for everybody. */
export const SourceAccessRule = z.strictObject({
  /** `*` stands for any text of one part of a path, `?` for one character of it, `**` for any number of parts. */
  paths: plainText
    .min(1, 'write a pattern of paths, as hr/**')
    .max(300, '300 characters at most')
    .refine((paths) => !paths.startsWith('/'), 'paths begin without a slash, as hr/**'),
  access: AccessTags,
})
export type SourceAccessRule = z.infer<typeof SourceAccessRule>

export const NewSource = z.strictObject({
  settings: SourceSettings,
  collection: name.default('default'),
  schedule: SourceSchedule.default({ by: 'button' }),
  access: z.array(SourceAccessRule).max(100, '100 rules at most').default([]),
})
export type NewSource = z.infer<typeof NewSource>

export const RunSource = z.strictObject({
  /** Removes what is gone although that is all, or more than half, of the source's documents. */
  confirmRemovals: z.boolean().default(false),
})
export type RunSource = z.infer<typeof RunSource>

const count = z.number().int().min(0)
/** What became of each file. */
export const SourceCounts = z.object({
  added: count,
  changed: count,
  /** The same content under another path. */
  moved: count,
  removed: count,
  unchanged: count,
  /** There, but of a format that is not read. */
  skipped: count,
  failed: count,
})
export type SourceCounts = z.infer<typeof SourceCounts>

/** What a run is at; the documents it brought are read and indexed beside it, which it waits for at its end. */
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
  /** Why nothing was done, or not all of it, and what to do. */
  problem: z.string().optional(),
  /** So many documents are gone from the source and were kept: a run with `confirmRemovals` removes them. */
  toConfirm: count.optional(),
  /** The first of them. */
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
