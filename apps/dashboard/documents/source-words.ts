import type { SourceCounts, SourceSchedule, SourceView } from '@plumbline/contracts'
import { counted } from './words'

export const scheduleWords = (schedule: SourceSchedule): string => {
  if (schedule.by === 'button') return 'manual'
  return schedule.by === 'cron' ? `cron ${schedule.cron} UTC` : `every ${counted(schedule.minutes, 'minute')}`
}

const tasks = { list: 'Listing', remove: 'Removing missing documents', bring: 'Importing', index: 'Indexing' }

/** Describes the current state of a source. */
export const stateOfSource = ({ status, running }: SourceView): string => {
  if (status === 'removing') return 'Removing'
  if (status === 'waiting') return 'Waiting for an ingestor'
  if (status === 'idle' || !running) return 'Idle'
  const { task, done, of } = running
  return task === 'list' ? `${tasks.list}, ${counted(done, 'file')}` : `${tasks[task]}, ${done} of ${of}`
}

export const countWords = (counts: SourceCounts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ') || 'no files'
