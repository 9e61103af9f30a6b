import { z } from 'zod'
import { name } from './ask'
import { shownName } from './text'

export const WeekDay = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
export type WeekDay = z.infer<typeof WeekDay>

const isTimeZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'write a time such as 09:00')

export const WorkingHours = z
  .strictObject({
    timeZone: z.string().max(64).refine(isTimeZone, 'use a time zone such as Europe/Berlin or UTC'),
    days: z
      .array(WeekDay)
      .min(1, 'name at least one day')
      .max(7)
      .refine((days) => new Set(days).size === days.length, 'name each day once'),
    from: clock,
    to: clock,
  })
  .refine(({ from, to }) => minuteOf(to) - minuteOf(from) >= 30, {
    path: ['to'],
    message: 'end at least 30 minutes after the start, on the same day',
  })
export type WorkingHours = z.infer<typeof WorkingHours>

const wait = z
  .number()
  .int()
  .min(1, 'wait at least 1 minute')
  .max(43_200, 'wait at most 43,200 minutes, which is 30 days')

export const OverdueAction = z.enum(['refuse', 'caveat', 'escalate'])
export type OverdueAction = z.infer<typeof OverdueAction>

const minutesPerWeek = ({ days, from, to }: WorkingHours): number => days.length * (minuteOf(to) - minuteOf(from))
const longestWeeks = 52

export const ReviewDeadline = z
  .strictObject({
    minutes: wait,
    /** The hours during which the deadline runs. With null, the deadline runs day and night. */
    hours: WorkingHours.nullable().default(null),
    then: OverdueAction,
    /** The time in minutes from the escalation until the answer is refused. Required only if `then` is `escalate`. */
    escalatedMinutes: wait.optional(),
  })
  .refine(({ then, escalatedMinutes }) => then !== 'escalate' || escalatedMinutes !== undefined, {
    path: ['escalatedMinutes'],
    message: 'set how long an escalated answer waits before it is refused',
  })
  .refine(
    ({ minutes, hours, escalatedMinutes = 0 }) =>
      hours === null || Math.max(minutes, escalatedMinutes) <= longestWeeks * minutesPerWeek(hours),
    {
      path: ['minutes'],
      message:
        'with these working hours, the wait would take more than a year: set a shorter wait or longer working hours',
    },
  )
export type ReviewDeadline = z.infer<typeof ReviewDeadline>

const hasLetters = (words: string): boolean => /[\p{L}\p{N}]/u.test(words)

export const Rules = z.strictObject({
  hold: z.strictObject({
    everything: z.boolean(),
    /** The percentage of runs that are held as a sample. A hash of the run's id decides which runs these are. */
    samplePercent: z.number().min(0).max(100),
    collections: z.array(name).max(100),
    /**
     * Holds the answers to questions that contain one of these entries. An entry of several words matches only the same
     * words in a row. Case is ignored.
     */
    words: z
      .array(shownName.min(1).max(80).refine(hasLetters, 'enter one or more words, with letters or digits'))
      .max(100),
  }),
  deadline: ReviewDeadline.nullable(),
})
export type Rules = z.infer<typeof Rules>

/** Changed rules. The change is refused if the stored rules have another version than `version`. */
export const NewRules = Rules.extend({ version: z.number().int().min(0) })
export type NewRules = z.infer<typeof NewRules>
export type RulesInput = z.input<typeof NewRules>

export const RulesView = NewRules.extend({
  updatedAt: z.string().nullable(),
  updatedBy: z.string().nullable(),
  mayRelease: z.boolean(),
})
export type RulesView = z.infer<typeof RulesView>

export const noRules: Rules = {
  hold: { everything: false, samplePercent: 0, collections: [], words: [] },
  deadline: null,
}
