import type { SourceSchedule } from '@plumbline/contracts'
import { nextByCron } from '@plumbline/hosting/cron'

/** Returns the time of the next run, or null if only users start runs. Throws if the cron line has no next time. */
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
