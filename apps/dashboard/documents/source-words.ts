import type { SourceCounts, SourceSchedule, SourceView } from '@plumbline/contracts'
import { counted } from './words'

export const scheduleWords = (schedule: SourceSchedule): string => {
  if (schedule.by === 'button') return 'only when it is run'
  return schedule.by === 'cron' ? `by the clock, ${schedule.cron} UTC` : `every ${counted(schedule.minutes, 'minute')}`
}

const tasks = { list: 'Listing', remove: 'Removing what is gone', bring: 'Bringing', index: 'Reading and indexing' }

/** Describes the current state of a source. */
export const stateOfSource = ({ status, running }: SourceView): string => {
  if (status === 'removing') return 'Being removed'
  if (status === 'waiting') return 'Waits for an ingestor'
  if (status === 'idle' || !running) return 'At rest'
  const { task, done, of } = running
  return task === 'list' ? `${tasks.list}, ${counted(done, 'file')}` : `${tasks[task]}, ${done} of ${of}`
}

export const countWords = (counts: SourceCounts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ') || 'nothing there'
