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

export const ingestHelp = `Bring documents in.

  npm run ingest -- ./papers                              a folder, with all folders in it
  npm run ingest -- report.pdf https://example.org/page   files and pages of the web
  npm run ingest -- ls [words]                            what is in the collection
  npm run ingest -- rm <name or id> ...                   remove documents (a folder called rm: ./rm)

  --collection <name>    where they go (default: default)
  --description <text>   what the collection is about; questions find it by this
  --metadata <key=value> stands on every document; may be given several times
  --access <tag>         only keys with this tag may read them; may be given several times
  --concurrency <n>      uploads at once (default 4)
  --prune                remove what was brought into the collection as a file and is in none of the folders
                         named any more; asks for --yes where that is more than half of it
  --watch                go on, and bring each change of the folders in as it happens; Ctrl-C ends it
  --dry-run              say what would be sent and removed, and do neither
  --json                 one JSON object on standard output, and nothing else there (npm itself writes
                         there: npm run -s ingest): documents, the view of each that was sent; failed, what
                         could not be sent, with its error; leftOut, what was not read; removed, what --prune removed; with --dry-run: found, leftOut
  --url <address>        the gateway (default: PLUMBLINE_URL, PORT, the one that
                         runs from this folder, http://127.0.0.1:3000)
  --key <key>            an API key (or PLUMBLINE_KEY, or PLUMBLINE_KEY_FILE:
                         a file that holds it)
  --help, -h             this

Each file goes by its path in the folder: changed it is a new version, and unchanged it is not sent again.
The result goes to standard output, how far it is to standard error.

Ends with 0: all of it is in; 1: something failed, nothing could be read, or the gateway did not answer or refused;
2: the command could not be understood; 130: it was interrupted.`

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
    return fault('Name the documents to remove, by name or id; npm run ingest -- ls lists them.')
  if (kind === 'ingest' && places.length === 0) return fault(`Name a folder, a file or a URL.\n\n${ingestHelp}`)
  if (values.watch && (values.json || values['dry-run']))
    return fault('--watch goes on until it is ended: leave out --json and --dry-run.')
  const url = addressOf(values.url, env, own)
  if (!isAddress(url)) return fault(`"${url}" is not an address: write it as http://host:port.`)
  const pairs = values.metadata.map((pair) => /^([^=]+)=(.*)$/s.exec(pair))
  if (pairs.includes(null)) return fault('Write metadata as --metadata key=value.')
  const concurrency = Number(values.concurrency)
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > mostAtOnce)
    return fault(`--concurrency takes a whole number from 1 to ${mostAtOnce}.`)
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
