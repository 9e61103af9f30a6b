import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, ProblemError } from '@plumbline/client'
import { placeOfSource, NewSource, type SourceView } from '@plumbline/contracts'
import { WrongArgument } from '../ingest/find-files'
import { count, type Screen } from '../render/text'
import type { SourceInput, SourcesOptions } from './args'
import { progressText, sourceLines } from './render-source'

type Output = { write(text: string): unknown; isTTY?: boolean }
type SourcesContext = { options: SourcesOptions; screen: Screen; output: Output; progress: Output }

const lookEveryMs = 300

const sourceOrNone = async (client: Client, name: string): Promise<SourceView | undefined> => {
  try {
    return await client.source(name)
  } catch (error) {
    if (!(error instanceof ProblemError && error.problem.status === 404)) throw error
    // If the gateway does not offer sources, it refuses this request too.
    await client.sources()
    return undefined
  }
}

const sourceNamed = async (client: Client, name: string): Promise<SourceView> => {
  const view = await sourceOrNone(client, name)
  if (view) return view
  throw new WrongArgument(`There is no source ${name}. npm run plumbline -- sources lists all sources.`)
}

const mergedSettings = (before: SourceView, input: SourceInput): NewSource => {
  const { collection, schedule, access } = before
  const isSamePlace = placeOfSource(before.settings) === placeOfSource(NewSource.parse(input).settings)
  const settings = isSamePlace ? { ...before.settings, ...input.settings } : input.settings
  return { collection, schedule, access, ...input, settings } as NewSource
}

const progressReporter = ({ progress, screen }: SourcesContext) => {
  let lastText = ''
  return {
    tell: (words: string): void => {
      if (words === lastText) return
      progress.write(progress.isTTY ? `\r\x1b[K  ${screen.paint.dim(words)}` : `  ${words}\n`)
      lastText = words
    },
    end: (): void => void (progress.isTTY && lastText !== '' && progress.write('\r\x1b[K')),
  }
}

const follow = async (
  client: Client,
  name: string,
  before: string | undefined,
  telling: SourcesContext,
): Promise<SourceView> => {
  const { tell, end } = progressReporter(telling)
  for (;;) {
    const view = await sourceNamed(client, name)
    if (view.last && view.last.endedAt !== before && view.status === 'idle') {
      end()
      return view
    }
    tell(view.running ? progressText(view.running) : 'waiting for an ingestor process')
    await wait(lookEveryMs)
  }
}

const waitUntilRemoved = async (client: Client, name: string, telling: SourcesContext): Promise<void> => {
  const { tell, end } = progressReporter(telling)
  for (let view = await sourceOrNone(client, name); view; view = await sourceOrNone(client, name)) {
    tell(`processing its documents, ${count(view.documents, 'document')} left`)
    await wait(lookEveryMs)
  }
  end()
}

const isWhole = ({ last }: SourceView): boolean => last?.problem === undefined && last?.counts.failed === 0

/** Runs a command for sources. Returns the exit code: 0 for success, or 1 if the sync failed or skipped something. */
export const manageSources = async (telling: SourcesContext): Promise<number> => {
  const { options, screen, output } = telling
  const client = createClient({ url: options.url, ...(options.key && { key: options.key }) })
  const print = (json: object, lines: string[]): void =>
    void output.write(options.json ? `${JSON.stringify(json)}\n` : `${lines.join('\n')}\n`)
  switch (options.do) {
    case 'list': {
      const { items } = await client.sources()
      const none =
        'There are no sources yet. npm run plumbline -- sources add <name> <folder or address> adds one; npm run plumbline -- sources --help lists the options.'
      const lines = items.flatMap((view) => [...sourceLines(view, screen, false), ''])
      print({ sources: items }, items.length === 0 ? [none] : lines.slice(0, -1))
      return 0
    }
    case 'show': {
      const view = await sourceNamed(client, options.name)
      print(view, sourceLines(view, screen))
      return 0
    }
    case 'add': {
      const before = await sourceOrNone(client, options.name)
      const view = await client.putSource(
        options.name,
        before ? mergedSettings(before, options.source) : options.source,
      )
      const then =
        view.schedule.by === 'button' ? [`To sync it now: npm run plumbline -- sources run ${view.name}`] : []
      print(view, [...sourceLines(view, screen, false), ...then])
      return 0
    }
    case 'run': {
      const { last } = await sourceNamed(client, options.name)
      await client.runSource(options.name, { confirmRemovals: options.confirmRemovals })
      const view = await follow(client, options.name, last?.endedAt, telling)
      print(view, sourceLines(view, screen))
      if (view.last?.toConfirm !== undefined && !options.json)
        output.write(`To remove them: npm run plumbline -- sources run ${view.name} --confirm-removals\n`)
      return isWhole(view) ? 0 : 1
    }
    case 'remove': {
      await sourceNamed(client, options.name)
      await client.removeSource(options.name, options.documents)
      await waitUntilRemoved(client, options.name, telling)
      const stay = options.documents === 'keep' ? 'Its documents were kept.' : 'Its documents were removed too.'
      print({ removed: options.name }, [`The source ${options.name} was removed. ${stay}`])
      return 0
    }
  }
}
