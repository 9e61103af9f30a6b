import { parseArgs } from 'node:util'
import { DocumentFields } from '@plumbline/contracts'
import { secretOf } from '@plumbline/platform/env'
import { addressOf, isAddress, type Environment } from '../args'

export type IngestOptions = {
  places: string[]
  collection: string
  description?: string
  metadata: Record<string, string>
  access: string[]
  concurrency: number
  dryRun: boolean
  prune: boolean
  watch: boolean
  yes: boolean
  json: boolean
  url: string
  /** True if the command line contains `--url`. Commands that the output suggests then contain `--url` too. */
  named: boolean
  key?: string
}
type IngestCommand =
  { kind: 'ingest' | 'ls' | 'rm'; options: IngestOptions } | { kind: 'help' } | { kind: 'fault'; message: string }

export const ingestHelp = `Add documents to a collection.

  npm run ingest -- ./papers                              add a folder with all its subfolders
  npm run ingest -- report.pdf https://example.org/page   add files and web pages
  npm run ingest -- ls [words]                            list the documents of the collection
  npm run ingest -- rm <name or id> ...                   remove documents (to add a folder named rm, write ./rm)

  --collection <name>    the collection of the documents (default: default)
  --description <text>   the topic of the collection, which helps questions to find it
  --metadata <key=value> metadata for every document; repeat the option for several keys
  --access <tag>         an access tag: only keys with one of the tags may read the documents; repeat for several tags
  --concurrency <n>      the number of parallel uploads (default: 4)
  --prune                also remove documents that were added as files and are in none of the given folders;
                         --yes is needed if these are more than half of the collection's files
  --yes                  with --prune: remove more than half of the collection's files
  --watch                keep running, and upload each change in the folders as it happens; Ctrl-C stops
  --dry-run              list what would be uploaded and removed, without doing it
  --json                 print only one JSON object on standard output (use npm run -s ingest, because npm prints a
                         line too). Fields: documents (the view of each uploaded document), failed (uploads that
                         failed, with their errors), leftOut (files that were skipped), removed (documents that
                         --prune removed); with --dry-run: found, leftOut
  --url <address>        the gateway (default: PLUMBLINE_URL, then PORT, then the gateway
                         that was started from this folder, then http://127.0.0.1:3000)
  --key <key>            an API key (default: PLUMBLINE_KEY, or the content of the
                         file that PLUMBLINE_KEY_FILE names)
  --help, -h             show this help

The path in the folder identifies a file. A changed file becomes a new version, and an unchanged file is not sent again.
The result is printed on standard output, and the progress on standard error.

Ends with 0: all documents are added; 1: some documents failed, nothing could be read, or the gateway did not answer or
refused the request; 2: the command is invalid; 130: interrupted.`

const options = {
  collection: { type: 'string', default: 'default' },
  description: { type: 'string' },
  metadata: { type: 'string', multiple: true, default: [] as string[] },
  access: { type: 'string', multiple: true, default: [] as string[] },
  concurrency: { type: 'string', default: '4' },
  prune: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const fault = (message: string): IngestCommand => ({ kind: 'fault', message })
const mostAtOnce = 32

const read = (words: string[], env: Environment, own: string | null): IngestCommand => {
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
  if (values.help) return { kind: 'help' }
  const [first] = positionals
  const kind = first === 'ls' || first === 'rm' ? first : 'ingest'
  const places = kind === 'ingest' ? positionals : positionals.slice(1)
  if (kind === 'rm' && places.length === 0)
    return fault('Give the names or ids of the documents to remove. npm run ingest -- ls lists the documents.')
  if (kind === 'ingest' && places.length === 0) return fault(`Give a folder, a file or a URL.\n\n${ingestHelp}`)
  if (values.watch && (values.json || values['dry-run']))
    return fault(
      '--watch runs until you stop it, so --json and --dry-run are not possible. Omit them, or omit --watch.',
    )
  const url = addressOf(values.url, env, own)
  if (!isAddress(url)) return fault(`"${url}" is not an address: write it as http://host:port.`)
  const pairs = values.metadata.map((pair) => /^([^=]+)=(.*)$/s.exec(pair))
  if (pairs.includes(null)) return fault('Write metadata as --metadata key=value.')
  const concurrency = Number(values.concurrency)
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > mostAtOnce)
    return fault(`--concurrency must be a whole number from 1 to ${mostAtOnce}.`)
  const { collection, description, access } = values
  const metadata = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
  // Check the common fields once here, because an error in them applies to every document.
  const [wrong] = DocumentFields.safeParse({ collection, metadata, access }).error?.issues ?? []
  if (wrong) return fault(`--${String(wrong.path[0])}: ${wrong.message}.`)
  const key = values.key ?? secretOf(env, 'PLUMBLINE_KEY')
  return {
    kind,
    options: {
      places,
      collection,
      metadata,
      access,
      concurrency,
      dryRun: values['dry-run'],
      prune: values.prune,
      watch: values.watch,
      yes: values.yes,
      json: values.json,
      url: url.replace(/\/+$/, ''),
      named: values.url !== undefined,
      ...(description && { description }),
      ...(key && { key }),
    },
  }
}

export const readIngestArgs = (words: string[], env: Environment, own: string | null): IngestCommand => {
  try {
    return read(words, env, own)
  } catch (error) {
    return fault(`${error instanceof Error ? error.message : String(error)}\n\n${ingestHelp}`)
  }
}
