import { z } from 'zod'
import { Ask } from './ask'
import { EndStatus } from './run-view'

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const ScheduleTimes = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('cron'),
    cron: z
      .string()
      .trim()
      .regex(/^\S+(\s+\S+){4}$/, 'write minute, hour, day, month and weekday, such as 0 6 * * 1-5')
      .max(100),
    timeZone: z
      .string()
      .max(64)
      .refine(isTimeZone, 'write the name of a time zone, such as Europe/Vienna')
      .default('UTC'),
  }),
  /** Asks the question at once. Asks it again whenever a document that the last answer cites changes or is removed. */
  z.strictObject({ by: z.literal('change') }),
])
export type ScheduleTimes = z.infer<typeof ScheduleTimes>

export const NewSchedule = Ask.omit({ threadId: true, replaces: true, whenBusy: true, class: true }).extend({
  when: ScheduleTimes,
})
export type NewSchedule = z.infer<typeof NewSchedule>

/** The outcome of one run. `first`: there was no earlier answer to compare with. `none`: no answer was released. */
export const ScheduleOutcome = z.object({
  runId: z.string(),
  askedAt: z.string(),
  endedAt: z.string().optional(),
  status: z.enum([...EndStatus.options, 'refused', 'gone']),
  answer: z.enum(['first', 'same', 'changed', 'none']),
  comparedWith: z.string().optional(),
  problem: z.string().optional(),
})
export type ScheduleOutcome = z.infer<typeof ScheduleOutcome>

export const ScheduleView = z.object({
  id: z.string(),
  question: z.string(),
  policy: z.string().optional(),
  /** The name of the collection. Present only if the schedule names exactly one collection. */
  collection: z.string().optional(),
  collections: z.array(z.string()).optional(),
  when: ScheduleTimes,
  status: z.enum(['active', 'stopped']),
  stopped: z.object({ at: z.string(), reason: z.string() }).optional(),
  createdAt: z.string(),
  createdBy: z.string(),
  nextRunAt: z.string().optional(),
  running: z.string().optional(),
  answer: z.object({ runId: z.string(), documents: z.array(z.string()) }).optional(),
  outcomes: z.array(ScheduleOutcome),
})
export type ScheduleView = z.infer<typeof ScheduleView>

export const ScheduleList = z.object({ items: z.array(ScheduleView) })
export type ScheduleList = z.infer<typeof ScheduleList>
