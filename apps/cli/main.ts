import { createClient } from '@plumbline/client'
import { notedGateway } from '@plumbline/platform/gateway-file'
import { dataDirOf } from './address'
import { help, readArgs, type Options } from './args'
import { askOnce, lookAt, type Outcome } from './ask'
import { faultWords } from './fault'
import { ingestHelp, readIngestArgs, type IngestOptions } from './ingest/args'
import { Misnamed } from './ingest/find'
import { ingest } from './ingest/ingest'
import { openLines } from './lines'
import { paintFor, type Screen } from './render/paint'
import type { Session } from './session'
import { talk } from './talk'

const codes: Record<Outcome, number> = { shown: 0, failed: 1, parked: 3, cancelled: 130 }
/** Lines longer than this are hard to read. */
const widest = 110
const screenOf = (stdout: NodeJS.WriteStream): Screen => ({
  paint: paintFor(stdout, process.env),
  width: Math.min(stdout.columns ?? 80, widest),
})

const open = (options: Options): Session => ({
  client: createClient({ url: options.url, ...(options.key && { key: options.key }) }),
  options,
  screen: screenOf(process.stdout),
  lines: openLines(process.stdin, process.stdout),
  print: (lines) => void (lines.length > 0 && process.stdout.write(`${lines.join('\n')}\n`)),
})

const run = async (options: Options): Promise<number> => {
  const session = open(options)
  try {
    if (options.run !== undefined) return codes[await lookAt(session, options.run)]
    if (options.question !== '') return codes[await askOnce(session, options.question)]
    await session.client.collections()
    await talk(session, dataDirOf(process.env))
    return 0
  } finally {
    session.lines.close()
  }
}

const told = (text: string): number => {
  process.stdout.write(`${text}\n`)
  return 0
}
const refused = (message: string): number => {
  process.stderr.write(`${message}\n`)
  return 2
}

const runIngest = (options: IngestOptions): Promise<number> => {
  const { stdout } = process
  return ingest({
    options,
    output: stdout,
    screen: screenOf(stdout),
  })
}

/** An error somebody can do something about is told in words. */
const inWords = async (work: Promise<number>, url: string): Promise<number> => {
  try {
    return await work
  } catch (error) {
    const words = error instanceof Misnamed ? error.message : faultWords(error, url)
    if (words === null) throw error
    process.stderr.write(`${paintFor(process.stderr, process.env).bad(words)}\n`)
    return 1
  }
}

const main = async (): Promise<number> => {
  const [name, ...words] = process.argv.slice(2)
  const own = notedGateway(dataDirOf(process.env))
  if (name === 'ingest') {
    const command = readIngestArgs(words, process.env, own)
    if (command.kind === 'help') return told(ingestHelp)
    return command.kind === 'fault'
      ? refused(command.message)
      : inWords(runIngest(command.options), command.options.url)
  }
  const command = readArgs(process.argv.slice(2), process.env, own)
  if (command.kind === 'help') return told(help)
  return command.kind === 'fault' ? refused(command.message) : inWords(run(command.options), command.options.url)
}

// A reader that went away (`| head`) is not a fault.
process.stdout.on('error', () => process.exit(0))
process.exit(await main())
