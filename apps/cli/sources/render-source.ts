import {
  cleanName,
  placeOfSource,
  type SourceCounts,
  type SourceLastRun,
  type SourceRunning,
  type SourceView,
} from '@plumbline/contracts'
import { count, type Screen, seconds, truncated, wrap } from '../render/text'

const time = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

const scheduleOf = ({ schedule, nextRunAt }: SourceView): string => {
  if (schedule.by === 'button') return 'manual (npm run plumbline -- sources run)'
  const by = schedule.by === 'cron' ? `at ${schedule.cron} UTC` : `every ${count(schedule.minutes, 'minute')}`
  return nextRunAt === undefined ? by : `${by}, next ${time(nextRunAt)}`
}

const countLabels: Partial<Record<keyof SourceCounts, string>> = {
  skipped: 'skipped (empty, or in an unsupported format)',
}
const countsOf = ({ counts, problem }: SourceLastRun): string =>
  Object.entries(counts)
    .filter(([, many]) => many > 0)
    .map(([what, many]) => `${many} ${countLabels[what as keyof SourceCounts] ?? what}`)
    .join(', ') || (problem === undefined ? 'the source is empty' : 'nothing was changed')

const tasks = {
  list: 'listing',
  remove: 'removing missing documents',
  bring: 'importing',
  index: 'reading and indexing',
}
export const progressText = ({ task, done, of }: SourceRunning): string => {
  if (task !== 'list') return `${tasks[task]}, ${done} of ${of}`
  return done === 0 ? tasks.list : `${tasks.list}, ${count(done, 'file')}`
}

const stateOf = ({ status, running }: SourceView): string =>
  status === 'running' && running ? progressText(running) : status === 'idle' ? 'idle' : status

const accessOf = ({ access }: SourceView): string[] => {
  const rules = access.map((rule) => `  ${cleanName(rule.paths)} for ${rule.access.join(', ') || 'everybody'}`)
  return rules.length === 0 || access.at(-1)?.paths === '**' ? rules : [...rules, '  all other files for everybody']
}

type ShowOptions = { screen: Screen; failures: boolean }

const failuresOf = (name: string, { counts, failures }: SourceLastRun, { screen, ...shown }: ShowOptions): string[] => {
  if (counts.failed === 0) return []
  if (!shown.failures) return [`    to list the failures: npm run plumbline -- sources show ${name}`]
  const { paint } = screen
  const left = counts.failed - failures.length
  return [
    ...failures.map(
      ({ path, error }) => `    ${paint.bad('✗')} ${cleanName(path)}: ${truncated(cleanName(error), 300)}`,
    ),
    ...(left > 0 ? [`    and ${left} more failures`] : []),
  ]
}

const lastOf = ({ name, last }: SourceView, showing: ShowOptions): string[] => {
  if (!last) return ['  not synced yet']
  const { paint, width } = showing.screen
  const took = Date.parse(last.endedAt) - Date.parse(last.startedAt)
  return [
    `  last run ${time(last.endedAt)}, ${seconds(took)}: ${countsOf(last)}`,
    ...(last.problem === undefined ? [] : wrap(paint.warn(cleanName(last.problem)), width, '  ')),
    ...failuresOf(name, last, showing),
  ]
}

export const sourceLines = (view: SourceView, screen: Screen, failures = true): string[] => {
  const { name, settings, collection, documents } = view
  return [
    `${screen.paint.bold(name)}  ${settings.kind}  ${cleanName(placeOfSource(settings))}`,
    `  ${count(documents, 'document')} in ${collection}, ${stateOf(view)}; ${scheduleOf(view)}`,
    ...accessOf(view),
    ...lastOf(view, { screen, failures }),
  ]
}
