import type { readWords, Refusal } from '@plumbline/commands/command.mjs'
import { ingest } from '@plumbline/commands/rows/ingest.mjs'
import { DocumentFields } from '@plumbline/contracts'
import { type Environment, fault, type GatewayAddress, gatewayOf, readCommand } from '../args'

export type IngestOptions = GatewayAddress & {
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
  /** True if the command line contains `--url`. If so, commands that the output suggests contain `--url` too. */
  named: boolean
}
type IngestCommand = { kind: 'ingest' | 'ls' | 'rm'; options: IngestOptions } | Refusal

type Given = Exclude<ReturnType<typeof readWords<typeof ingest.options>>, Refusal>
const mostAtOnce = 32

const read = ({ values, positionals }: Given, gateway: GatewayAddress): IngestCommand => {
  const [first] = positionals
  const kind = first === 'ls' || first === 'rm' ? first : 'ingest'
  const places = kind === 'ingest' ? positionals : positionals.slice(1)
  if (kind === 'rm' && places.length === 0)
    return fault('Give the names or ids of the documents to remove. npm run ingest -- ls lists the documents.')
  if (kind === 'ingest' && places.length === 0)
    return fault('Give a folder, a file or a URL. npm run ingest -- --help shows examples.')
  if (values.watch && (values.json || values['dry-run']))
    return fault(
      '--watch runs until you stop it, so --json and --dry-run are not possible. Omit them, or omit --watch.',
    )
  const pairs = (values.metadata ?? []).map((pair) => /^([^=]+)=(.*)$/s.exec(pair))
  if (pairs.includes(null)) return fault('Write metadata as --metadata key=value.')
  const concurrency = Number(values.concurrency)
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > mostAtOnce)
    return fault(`--concurrency must be a whole number from 1 to ${mostAtOnce}.`)
  const { collection, description, access = [] } = values
  const metadata = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
  // Check these fields once before the start, because an error in one of them would apply to every document.
  const [wrong] = DocumentFields.safeParse({ collection, metadata, access }).error?.issues ?? []
  if (wrong) return fault(`--${String(wrong.path[0])}: ${wrong.message}.`)
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
      ...gateway,
      named: values.url !== undefined,
      ...(description && { description }),
    },
  }
}

export const readIngestArgs = (words: string[], env: Environment, own: string | null): IngestCommand =>
  readCommand(ingest, words, (given) => read(given, gatewayOf(given.values, env, own)))
