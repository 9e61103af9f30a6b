import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import { cleanName, placeOfSource, type SourceCounts, type SourceRunning, type SourceView } from '@plumbline/contracts'
import { count, cut, type Screen, seconds, wrap } from '../render/text'
import type { SourcesOptions } from './args'

type Output = { write(text: string): unknown; isTTY?: boolean }
type Telling = { options: SourcesOptions; screen: Screen; output: Output; progress: Output }

const lookEveryMs = 300

const scheduleOf = ({ schedule }: SourceView): string => {
  if (schedule.by === 'button') return 'when it is run'
  return schedule.by === 'cron' ? `by the clock: ${schedule.cron} (UTC)` : `every ${count(schedule.minutes, 'minute')}`
}

const countsOf = (counts: SourceCounts): string =>
  Object.entries(counts)
    .filter(([, many]) => many > 0)
    .map(([what, many]) => `${many} ${what}`)
    .join(', ') || 'nothing there'

const tasks = { list: 'listing', remove: 'removing', bring: 'bringing', index: 'reading and indexing' }
const runningOf = ({ task, done, of }: SourceRunning): string =>
  `${tasks[task]} ${task === 'list' ? done : `${done} of ${of}`}`

const stateOf = ({ status, running }: SourceView): string =>
  status === 'running' && running ? runningOf(running) : status === 'idle' ? 'at rest' : status

const lastOf = ({ last }: SourceView, { paint, width }: Screen): string[] => {
  if (!last) return ['  has not been run yet']
  const took = Date.parse(last.endedAt) - Date.parse(last.startedAt)
  const failures = last.failures.map(
    ({ path, error }) => `    ${paint.bad('✗')} ${cleanName(path)}: ${cut(cleanName(error), 300)}`,
  )
  const left = last.counts.failed - last.failures.length
  return [
    `  last run ${last.endedAt.slice(0, 16).replace('T', ' ')} UTC, ${seconds(took)}: ${countsOf(last.counts)}`,
    ...(last.problem ? wrap(paint.warn(cleanName(last.problem)), width, '  ') : []),
    ...failures,
    ...(left > 0 ? [`    and ${left} more that failed`] : []),
  ]
}

const rowOf = (view: SourceView, screen: Screen): string[] => {
  const { paint } = screen
  const { name, settings, collection, documents, nextRunAt } = view
  const next = nextRunAt === undefined ? '' : `, next ${nextRunAt.slice(0, 16).replace('T', ' ')} UTC`
  return [
    `${paint.bold(name)}  ${cleanName(placeOfSource(settings))}`,
    `  ${count(documents, 'document')} in ${collection}, ${stateOf(view)}; ${scheduleOf(view)}${next}`,
    ...view.access.map(({ paths, access }) => `  ${cleanName(paths)} for ${access.join(', ') || 'everybody'}`),
    ...lastOf(view, screen),
  ]
}

/** Tells how far a run is until it ends; interrupted, the run goes on by itself. */
const follow = async (
  client: Client,
  name: string,
  before: string | undefined,
  { progress, screen }: Telling,
): Promise<SourceView> => {
  let told = ''
  const tell = (words: string): void => {
    if (words === told) return
    progress.write(progress.isTTY ? `\r\x1b[K  ${screen.paint.dim(words)}` : `  ${words}\n`)
    told = words
  }
  for (;;) {
    const view = await client.source(name)
    if (view.last && view.last.endedAt !== before && view.status === 'idle') {
      if (progress.isTTY && told !== '') progress.write('\r\x1b[K')
      return view
    }
    tell(view.running ? runningOf(view.running) : 'waits for an ingestor')
    await wait(lookEveryMs)
  }
}

const untilGone = async (client: Client, name: string): Promise<void> => {
  try {
    for (;;) {
      await client.source(name)
      await wait(lookEveryMs)
    }
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.status === 404)) throw error
  }
}

const isWhole = ({ last }: SourceView): boolean => last?.problem === undefined && last?.counts.failed === 0

/** 0: done; 1: the run failed, or left something out. */
export const sources = async (telling: Telling): Promise<number> => {
  const { options, screen, output } = telling
  const client = createClient({ url: options.url, ...(options.key && { key: options.key }) })
  const print = (json: object, lines: string[]): void =>
    void output.write(options.json ? `${JSON.stringify(json)}\n` : `${lines.join('\n')}\n`)
  switch (options.do) {
    case 'list': {
      const { items } = await client.sources()
      const none = 'No sources yet. npm run sources -- add <name> <folder or address> adds one; -- --help says more.'
      print({ sources: items }, items.length === 0 ? [none] : items.flatMap((view) => [...rowOf(view, screen), '']))
      return 0
    }
    case 'show': {
      const view = await client.source(options.name)
      print(view, rowOf(view, screen))
      return 0
    }
    case 'add': {
      const view = await client.putSource(options.name, options.source)
      const then = view.schedule.by === 'button' ? [`Bring it in: npm run sources -- run ${view.name}`] : []
      print(view, [...rowOf(view, screen), ...then])
      return 0
    }
    case 'run': {
      const before = (await client.source(options.name)).last?.endedAt
      await client.runSource(options.name, { confirmRemovals: options.confirmRemovals })
      const view = await follow(client, options.name, before, telling)
      print(view, rowOf(view, screen))
      if (view.last?.toConfirm !== undefined && !options.json)
        output.write(`To remove them: npm run sources -- run ${view.name} --confirm-removals\n`)
      return isWhole(view) ? 0 : 1
    }
    case 'remove': {
      await client.removeSource(options.name, options.documents)
      await untilGone(client, options.name)
      const stay = options.documents === 'keep' ? 'Its documents stay.' : 'Its documents are gone with it.'
      print({ removed: options.name }, [`${options.name} is removed. ${stay}`])
      return 0
    }
  }
}
