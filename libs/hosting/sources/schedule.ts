import { CronExpressionParser } from 'cron-parser'
import type { SourceSchedule } from '@plumbline/contracts'

/** Throws for a cron line that never occurs. */
export const nextByCron = (cron: string, timeZone: string, after: number): number =>
  CronExpressionParser.parse(cron, { tz: timeZone, currentDate: new Date(after) })
    .next()
    .getTime()

export const cronFault = (cause: unknown): string =>
  `${cause instanceof Error ? cause.message : String(cause)}: write minute, hour, day, month and weekday, as 0 6 * * 1-5`

/** Returns when a source is due after a run that began then. Null if it is only synced on request. */
export const nextRunAfter = (schedule: SourceSchedule, startedAt: number): number | null => {
  switch (schedule.by) {
    case 'button':
      return null
    case 'interval':
      return startedAt + schedule.minutes * 60_000
    case 'cron':
      return nextByCron(schedule.cron, 'UTC', startedAt)
  }
}
