import { type Client, createClient } from '@plumbline/client'
import { cleanName } from '@plumbline/contracts'
import { count, type Screen, seconds } from '../render/text'
import type { IngestOptions } from './args'
import { find, type Finding, type Found, Misnamed } from './find'
import { openProgress } from './progress'
import { leftOut, summary } from './summary'
import { bring, type Brought } from './upload'

type Output = { write(text: string): unknown; columns?: number; isTTY?: boolean }
/** `output` and `screen` are for the result; how far it is goes to `progress`. */
type Ingesting = {
  options: IngestOptions
  screen: Screen
  output: Output
  progress: { screen: Screen; output: Output }
}

const megabytes = (bytes: number): string =>
  bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
const sizeOf = (found: Found[]): string => {
  const bytes = found.reduce((sum, one) => sum + (one.kind === 'file' ? one.bytes : 0), 0)
  return bytes === 0 ? '' : `, ${megabytes(bytes)}`
}

const heading = ({ found }: Finding, { options, progress: { screen } }: Ingesting): string => {
  const { paint } = screen
  const what = `${count(found.length, 'document')}${sizeOf(found)}`
  return `${paint.bold(what)}, into the collection ${paint.accent(options.collection)} at ${options.url}`
}

const dryRun = (finding: Finding, { screen, output }: Ingesting): void => {
  const { paint } = screen
  for (const line of leftOut(finding, screen)) output.write(`${line}\n`)
  for (const one of finding.found)
    output.write(
      `  ${cleanName(one.name)}  ${paint.dim(one.kind === 'url' ? 'a page of the web' : `${one.format}, ${megabytes(one.bytes)}`)}\n`,
    )
  output.write(`\nNothing was sent: this was a dry run.\n`)
}

const askWith = ({ collection, url, named }: IngestOptions): string =>
  `npm run ask -- ${named ? `--url ${url} ` : ''}--collection ${collection} "…"`

/** The description is changed alone: what else is set for the collection stays. */
const describe = async (client: Client, { collection, description }: IngestOptions): Promise<void> => {
  const all = (await client.collections()).items
  if (description === undefined) return
  const { chunking, retrieval, policy } = all.find(({ name }) => name === collection) ?? {}
  await client.putCollection(collection, {
    description,
    ...(chunking && { chunking }),
    ...(retrieval && { retrieval }),
    ...(policy && { policy }),
  })
}

const interrupted = new Error('interrupted')

/** So many at once as were asked for; whoever is done takes the next. What ends one for all of them is why `stopping` was aborted. */
const bringAll = async (
  found: Found[],
  client: Client,
  { options, progress: beside }: Ingesting,
  stopping: AbortController,
): Promise<Brought[]> => {
  const progress = openProgress(found.length, beside.output, beside.screen)
  const all: Brought[] = []
  const waiting = [...found]
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one && !stopping.signal.aborted; one = waiting.shift()) {
      const brought = await bring(one, { client, options, stopping: stopping.signal, ...progress })
      all.push(brought)
      progress.brought(brought)
    }
  }
  await Promise.all(
    Array.from({ length: options.concurrency }, () => work().catch((error: unknown) => stopping.abort(error))),
  )
  progress.close()
  return all
}

const farewell = (found: Found[], all: Brought[], { collection, url }: IngestOptions): string[] => [
  `Stopped. ${count(all.length, 'document')} of ${found.length} ${all.length === 1 ? 'is' : 'are'} done; no more are sent.`,
  `What was sent already goes on by itself: ${url}/v1/documents?collection=${collection} shows how far it is.`,
  'The same command again goes on where this one stopped.',
]

const jsonOf = ({ leftOut: left }: Finding, all: Brought[]) => ({
  documents: all.flatMap(({ view }) => view ?? []),
  failed: all.filter(({ view }) => !view).map(({ name, error }) => ({ name, error })),
  leftOut: left,
})

/** Brings all of it in and says what came of it. 0: all is well; 1: something failed; 130: interrupted. */
export const ingest = async (ingesting: Ingesting): Promise<number> => {
  const { options, screen, output } = ingesting
  const print = (lines: string[]): void =>
    void (!options.json && lines.length > 0 && output.write(`${lines.join('\n')}\n`))
  const tellJson = (object: object): void => void output.write(`${JSON.stringify(object)}\n`)
  const since = Date.now()
  const finding = await find(options.places)
  if (finding.found.length === 0) {
    print(leftOut(finding, screen))
    throw new Misnamed(`Nothing in ${options.places.join(', ')} can be read.`)
  }
  const client = createClient({ url: options.url, ...(options.key && { key: options.key }) })
  if (!options.dryRun) await describe(client, options)
  ingesting.progress.output.write(`${heading(finding, ingesting)}\n\n`)
  if (options.dryRun) return (options.json ? tellJson(finding) : dryRun(finding, ingesting), 0)
  const stopping = new AbortController()
  let askedAt = 0
  // Ctrl-C may arrive twice, from the terminal and through whoever started us; only a second one a second later is impatience.
  const onSignal = (): void => {
    if (stopping.signal.aborted && Date.now() - askedAt > 1_000) process.exit(130)
    askedAt ||= Date.now()
    stopping.abort(interrupted)
  }
  process.on('SIGINT', onSignal)
  const all = await bringAll(finding.found, client, ingesting, stopping)
  if (options.json) tellJson(jsonOf(finding, all))
  print([...leftOut(finding, screen), ...summary(all, screen)])
  const { aborted, reason } = stopping.signal
  if (aborted && (reason === interrupted || all.length > 0))
    ingesting.progress.output.write(`${farewell(finding.found, all, options).join('\n')}\n`)
  if (aborted && reason !== interrupted) throw reason
  if (aborted) return 130
  const failed = all.filter(({ outcome }) => outcome === 'failed').length
  const how = failed === 0 ? screen.paint.good('Done') : screen.paint.warn(`Done, but for ${failed}`)
  print([`${how} in ${seconds(Date.now() - since)}.${failed < all.length ? ` Ask: ${askWith(options)}` : ''}`])
  return failed > 0 ? 1 : 0
}
