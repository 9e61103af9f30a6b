import { type Client, createClient } from '@plumbline/client'
import { cleanName, type DocumentView } from '@plumbline/contracts'
import { count, type Screen, seconds, truncated, wrap } from '../render/text'
import type { IngestOptions } from './args'
import { compareFiles, type Digests } from './compare'
import { findFiles, type FindResult, type FoundItem, WrongArgument } from './find-files'
import { canFollowTogether, followTogether } from './follow-together'
import { openProgress, type Progress } from './progress'
import { documentsToPrune, removeAll } from './prune'
import { skippedLines, summaryLines } from './summary'
import { uploadAndFollow, type UploadOptions, type UploadResult } from './upload'
import { refuseUrls, watchFiles } from './watch'

type Output = { write(text: string): unknown; columns?: number; isTTY?: boolean }
type Ingesting = {
  options: IngestOptions
  screen: Screen
  output: Output
  progress: { screen: Screen; output: Output }
}

const megabytes = (bytes: number): string =>
  bytes < 100_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
const sizeOf = (found: FoundItem[]): string => {
  const bytes = found.reduce((sum, one) => sum + (one.kind === 'file' ? one.bytes : 0), 0)
  return bytes === 0 ? '' : `, ${megabytes(bytes)}`
}

const heading = ({ found }: FindResult, { options, progress: { screen } }: Ingesting): string => {
  const { paint } = screen
  const what = `${count(found.length, 'document')}${sizeOf(found)}`
  return `${paint.bold(what)}, into the collection ${paint.accent(options.collection)} at ${options.url}`
}

const dryRun = async (finding: FindResult, client: Client, { options, screen, output }: Ingesting): Promise<number> => {
  const { paint } = screen
  const uploading = { client, options, stopping: new AbortController().signal, onUpdate: () => {}, onWait: () => {} }
  const gone = options.prune ? await documentsToPrune(finding, uploading) : []
  const lines = options.json
    ? [JSON.stringify({ ...finding, ...(options.prune && { removed: gone.map(({ name }) => name) }) })]
    : [
        ...skippedLines(finding, screen),
        ...finding.found.map((one) => {
          const what = one.kind === 'url' ? 'a web page' : `${one.format}, ${megabytes(one.bytes)}`
          return `  ${cleanName(one.name)}  ${paint.dim(what)}`
        }),
        ...gone.map(({ name = '' }) => `  ${paint.bad('−')} ${cleanName(name)}  ${paint.dim('would be removed')}`),
        '\nNothing was sent: this was a dry run.',
      ]
  output.write(`${lines.join('\n')}\n`)
  return 0
}

const askWith = ({ collection, url, named }: IngestOptions): string =>
  `npm run ask -- ${named ? `--url ${url} ` : ''}--collection ${collection} "…"`

const describe = async (client: Client, { collection, description }: IngestOptions): Promise<void> => {
  const all = (await client.collections()).items
  if (description === undefined) return
  // Send the other settings of the collection too, because the request replaces all of them.
  const { questions, chunking, retrieval, policy, owner } = all.find(({ name }) => name === collection) ?? {}
  await client.putCollection(collection, {
    description,
    ...(questions && { questions }),
    ...(chunking && { chunking }),
    ...(retrieval && { retrieval }),
    ...(policy && { policy }),
    ...(owner && { owner }),
  })
}

const interrupted = new Error('interrupted')

const printWaits = (output: Output) => {
  const written = new Set([''])
  return (words: string): void => {
    if (!written.has(words)) output.write(`  … ${words}\n`)
    written.add(words)
  }
}

/**
 * At most this many sent documents wait until they are indexed. With fewer, the command would often be idle, because
 * the gateway reports progress only every 100 ms.
 */
const mostFollowed = 32
/** At most this many short texts are sent but not yet indexed. One request can follow all of them. */
const mostFollowedTogether = 128

/** Sends up to `options.concurrency` documents at once. Aborts `stop` after an error that affects all documents. */
const uploadAll = async (
  found: FoundItem[],
  uploading: UploadOptions & Progress,
  stop: AbortController,
): Promise<UploadResult[]> => {
  const all: UploadResult[] = []
  const waiting = [...found]
  const following = new Set<Promise<void>>()
  const together = found.length > mostFollowed ? followTogether(uploading) : undefined
  const isTogether = (one: FoundItem): boolean => together !== undefined && canFollowTogether(one)
  const follow = (one: FoundItem, sent: () => void): Promise<void> => {
    const own = { ...uploading, onSent: sent, ...(isTogether(one) && { followOne: together?.follow }) }
    const done = uploadAndFollow(one, own)
      .then((result) => {
        all.push(result)
        uploading.onResult(result)
      })
      .catch((error: unknown) => stop.abort(error))
      .finally(() => following.delete(done))
    following.add(done)
    return done
  }
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one && !stop.signal.aborted; one = waiting.shift()) {
      const { promise: sent, resolve } = Promise.withResolvers<void>()
      await Promise.race([sent, follow(one, resolve)])
      const most = isTogether(one) ? mostFollowedTogether : mostFollowed
      while (following.size >= most) await Promise.race(following)
    }
  }
  await Promise.all(Array.from({ length: uploading.options.concurrency }, work))
  await Promise.all(following)
  return all
}

type Pass = { finding: FindResult; all: UploadResult[]; removed: DocumentView[] }

/** Syncs the collection with the files. It sends files before it removes documents: a moved file is never missing. */
const syncCollection = async (
  finding: FindResult,
  client: Client,
  { options, progress: { output, screen } }: Ingesting,
  stop: AbortController,
  digests: Digests,
): Promise<Pass> => {
  const uploading = { client, options, stopping: stop.signal, onUpdate: () => {}, onWait: printWaits(output) }
  const pass: Pass = { finding, all: [], removed: [] }
  try {
    const gone = options.prune ? await documentsToPrune(finding, uploading) : []
    const { toSend, unchanged } = await compareFiles(finding.found, uploading, digests)
    pass.all.push(...unchanged)
    const progress = openProgress(toSend.length, output, screen)
    pass.all.push(...(await uploadAll(toSend, { ...uploading, ...progress }, stop)))
    progress.close()
    if (!stop.signal.aborted) await removeAll(gone, uploading)
    if (!stop.signal.aborted) pass.removed = gone
  } catch (error) {
    if (!stop.signal.aborted) throw error
  }
  return pass
}

const farewell = (found: FoundItem[], all: UploadResult[], { collection, url }: IngestOptions): string[] => [
  `Stopped. ${count(all.length, 'document')} of ${found.length} ${all.length === 1 ? 'is' : 'are'} done. No further documents are sent.`,
  `Documents that were already sent are still processed: ${url}/v1/documents?collection=${collection} shows the progress.`,
  'Run the same command again to continue.',
]

const jsonOf = ({ finding, all, removed }: Pass) => ({
  documents: all.flatMap(({ view }) => view ?? []),
  failed: all.filter(({ view }) => !view).map(({ name, error }) => ({ name, error })),
  leftOut: finding.leftOut,
  removed: removed.map(({ name }) => name),
})

const removedLines = (removed: DocumentView[], { paint, width }: Screen): string[] =>
  removed.length === 0
    ? []
    : [
        paint.bold(`${count(removed.length, 'document')} removed, because the folders no longer contain them`),
        ...wrap(
          paint.dim(truncated(removed.map(({ name = '' }) => cleanName(name)).join(', '), 1_000)),
          width - 2,
          '  ',
        ),
        '',
      ]

/**
 * Stops the uploads at the first Ctrl-C and ends the program at the second. A second signal within a second is ignored,
 * because the terminal and the parent process may both send the same Ctrl-C.
 */
const onInterrupt = (stop: AbortController): void => {
  let askedAt = 0
  process.on('SIGINT', () => {
    if (stop.signal.aborted && Date.now() - askedAt > 1_000) process.exit(130)
    askedAt ||= Date.now()
    stop.abort(interrupted)
  })
}

/** Syncs the collection after each change of a file. If a folder cannot be synced, prints the error and continues. */
const followChanges = async (
  client: Client,
  ingesting: Ingesting,
  stop: AbortController,
  digests: Digests,
): Promise<void> => {
  const { options, screen, output } = ingesting
  const { places } = options
  const started = (): void =>
    void ingesting.progress.output.write(`Watching ${places.join(', ')}. Ctrl-C stops watching.\n`)
  const changed = async (): Promise<void> => {
    if (stop.signal.aborted) return
    try {
      const { all, removed } = await syncCollection(await findFiles(places), client, ingesting, stop, digests)
      const sent = all.filter(({ outcome }) => outcome !== 'unchanged')
      const lines = [...removedLines(removed, screen), ...summaryLines(sent, screen)]
      if (lines.length > 0) output.write(`${lines.join('\n')}\n`)
    } catch (error) {
      if (!(error instanceof WrongArgument)) throw error
      ingesting.progress.output.write(`${error.message}\n`)
    }
  }
  await watchFiles(places, stop.signal, { started, changed })
}

/** Runs the command and returns its exit code: 0 for success, 1 if something failed, 130 if it was interrupted. */
export const ingest = async (ingesting: Ingesting): Promise<number> => {
  const { options, screen, output } = ingesting
  const print = (lines: string[]): void =>
    void (!options.json && lines.length > 0 && output.write(`${lines.join('\n')}\n`))
  const tellJson = (object: object): void => void output.write(`${JSON.stringify(object)}\n`)
  const since = Date.now()
  if (options.watch) refuseUrls(options.places)
  const finding = await findFiles(options.places)
  if (finding.found.length === 0 && !options.watch) {
    print(skippedLines(finding, screen))
    throw new WrongArgument(`No file in ${options.places.join(', ')} can be read. Check the formats and your rights.`)
  }
  const client = createClient({ url: options.url, ...(options.key && { key: options.key }) })
  if (!options.dryRun) await describe(client, options)
  ingesting.progress.output.write(`${heading(finding, ingesting)}\n\n`)
  if (options.dryRun) return dryRun(finding, client, ingesting)
  const stop = new AbortController()
  onInterrupt(stop)
  const digests: Digests = new Map()
  const pass = await syncCollection(finding, client, ingesting, stop, digests)
  const { all, removed } = pass
  if (options.json) tellJson(jsonOf(pass))
  print([...skippedLines(finding, screen), ...removedLines(removed, screen), ...summaryLines(all, screen)])
  const { aborted, reason } = stop.signal
  if (aborted && (reason === interrupted || all.length > 0))
    ingesting.progress.output.write(`${farewell(finding.found, all, options).join('\n')}\n`)
  if (aborted && reason !== interrupted) throw reason
  if (aborted) return 130
  const failed = all.filter(({ outcome }) => outcome === 'failed').length
  const how = failed === 0 ? screen.paint.good('Done') : screen.paint.warn(`Done with ${count(failed, 'failure')}`)
  print([`${how} in ${seconds(Date.now() - since)}.${failed < all.length ? ` Ask: ${askWith(options)}` : ''}`])
  if (options.watch) {
    await followChanges(client, ingesting, stop, digests)
    return 130
  }
  return failed > 0 ? 1 : 0
}
