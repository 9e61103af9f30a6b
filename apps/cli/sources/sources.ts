import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import { placeOfSource, NewSource, type SourceView } from '@plumbline/contracts'
import { Misnamed } from '../ingest/find'
import { count, type Screen } from '../render/text'
import type { SourcesOptions, ToldSource } from './args'
import { runningOf, shownSource } from './shown'

type Output = { write(text: string): unknown; isTTY?: boolean }
type Telling = { options: SourcesOptions; screen: Screen; output: Output; progress: Output }

const lookEveryMs = 300

const sourceOrNone = async (client: Client, name: string): Promise<SourceView | undefined> => {
  try {
    return await client.source(name)
  } catch (error) {
    if (error instanceof ProblemError && error.problem.status === 404) return undefined
    throw error
  }
}

const sourceNamed = async (client: Client, name: string): Promise<SourceView> => {
  const view = await sourceOrNone(client, name)
  if (view) return view
  throw new Misnamed(`There is no source called ${name}. npm run sources lists those there are.`)
}

/**
 * Merges new settings into a source. Absent settings, especially access rules, remain unchanged. If the location
 * changes, settings that are specific to the kind of source are dropped.
 */
const changed = (before: SourceView, told: ToldSource): NewSource => {
  const { collection, schedule, access } = before
  const isSamePlace = placeOfSource(before.settings) === placeOfSource(NewSource.parse(told).settings)
  const settings = isSamePlace ? { ...before.settings, ...told.settings } : told.settings
  return { collection, schedule, access, ...told, settings } as NewSource
}

/** Shows the state of a run. At a terminal, one line is rewritten. Otherwise, a line is printed for each change. */
const teller = ({ progress, screen }: Telling) => {
  let told = ''
  return {
    tell: (words: string): void => {
      if (words === told) return
      progress.write(progress.isTTY ? `\r\x1b[K  ${screen.paint.dim(words)}` : `  ${words}\n`)
      told = words
    },
    end: (): void => void (progress.isTTY && told !== '' && progress.write('\r\x1b[K')),
  }
}

/** Reports the progress of a run until the run ends. After an interrupt, the run continues on the gateway. */
const follow = async (
  client: Client,
  name: string,
  before: string | undefined,
  telling: Telling,
): Promise<SourceView> => {
  const { tell, end } = teller(telling)
  for (;;) {
    const view = await sourceNamed(client, name)
    if (view.last && view.last.endedAt !== before && view.status === 'idle') {
      end()
      return view
    }
    tell(view.running ? runningOf(view.running) : 'waits for an ingestor')
    await wait(lookEveryMs)
  }
}

const untilGone = async (client: Client, name: string, telling: Telling): Promise<void> => {
  const { tell, end } = teller(telling)
  for (let view = await sourceOrNone(client, name); view; view = await sourceOrNone(client, name)) {
    tell(`waits until its documents are dealt with, ${count(view.documents, 'document')} left`)
    await wait(lookEveryMs)
  }
  end()
}

const isWhole = ({ last }: SourceView): boolean => last?.problem === undefined && last?.counts.failed === 0

/**
 * Runs a command about sources. Returns the exit code: 0 if everything was done, 1 if the run failed or skipped
 * something.
 */
export const sources = async (telling: Telling): Promise<number> => {
  const { options, screen, output } = telling
  const client = createClient({ url: options.url, ...(options.key && { key: options.key }) })
  const print = (json: object, lines: string[]): void =>
    void output.write(options.json ? `${JSON.stringify(json)}\n` : `${lines.join('\n')}\n`)
  switch (options.do) {
    case 'list': {
      const { items } = await client.sources()
      const none = 'No sources yet. npm run sources -- add <name> <folder or address> adds one; -- --help says more.'
      const lines = items.flatMap((view) => [...shownSource(view, screen, false), ''])
      print({ sources: items }, items.length === 0 ? [none] : lines.slice(0, -1))
      return 0
    }
    case 'show': {
      const view = await sourceNamed(client, options.name)
      print(view, shownSource(view, screen))
      return 0
    }
    case 'add': {
      const before = await sourceOrNone(client, options.name)
      const view = await client.putSource(options.name, before ? changed(before, options.told) : options.told)
      const then = view.schedule.by === 'button' ? [`Bring it in: npm run sources -- run ${view.name}`] : []
      print(view, [...shownSource(view, screen, false), ...then])
      return 0
    }
    case 'run': {
      const { last } = await sourceNamed(client, options.name)
      await client.runSource(options.name, { confirmRemovals: options.confirmRemovals })
      const view = await follow(client, options.name, last?.endedAt, telling)
      print(view, shownSource(view, screen))
      if (view.last?.toConfirm !== undefined && !options.json)
        output.write(`To remove them: npm run sources -- run ${view.name} --confirm-removals\n`)
      return isWhole(view) ? 0 : 1
    }
    case 'remove': {
      await sourceNamed(client, options.name)
      await client.removeSource(options.name, options.documents)
      await untilGone(client, options.name, telling)
      const stay = options.documents === 'keep' ? 'Its documents stay.' : 'Its documents are gone with it.'
      print({ removed: options.name }, [`${options.name} is removed. ${stay}`])
      return 0
    }
  }
}
