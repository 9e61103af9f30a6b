import type { SourceCounts, SourceSchedule, SourceView } from '@plumbline/contracts'
import { countText } from './labels'

export const scheduleText = (schedule: SourceSchedule): string => {
  if (schedule.by === 'button') return 'manual'
  return schedule.by === 'cron' ? `cron ${schedule.cron} UTC` : `every ${countText(schedule.minutes, 'minute')}`
}

const taskLabels = { list: 'Listing', remove: 'Removing missing documents', bring: 'Importing', index: 'Indexing' }

export const stateOfSource = ({ status, running }: SourceView): string => {
  if (status === 'removing') return 'Removing'
  if (status === 'waiting') return 'Waiting to start'
  if (status === 'idle' || !running) return 'Idle'
  const { task, done, of } = running
  return task === 'list' ? `${taskLabels.list}, ${countText(done, 'file')}` : `${taskLabels[task]}, ${done} of ${of}`
}

export const countsText = (counts: SourceCounts): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ') || 'no files'
