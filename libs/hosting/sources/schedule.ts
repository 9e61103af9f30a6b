import { CronExpressionParser } from 'cron-parser'
import type { SourceSchedule } from '@plumbline/contracts'

/** When a source is due after a run that began then; null where only somebody's asking brings it up to date. It throws for a cron line that never comes. */
export const nextRunAfter = (schedule: SourceSchedule, startedAt: number): number | null => {
  switch (schedule.by) {
    case 'button':
      return null
    case 'interval':
      return startedAt + schedule.minutes * 60_000
    case 'cron':
      return CronExpressionParser.parse(schedule.cron, { tz: 'UTC', currentDate: new Date(startedAt) })
        .next()
        .getTime()
  }
}
