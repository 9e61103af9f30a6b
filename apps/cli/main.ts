import { createClient } from '@plumbline/client'
import { clean } from '@plumbline/contracts'
import { notedGateway } from '@plumbline/platform/gateway-file'
import { manageAbandoned } from './abandoned/abandoned'
import { abandonedHelp, readAbandonedArgs } from './abandoned/args'
import { dataDirOf, help, type Options, readArgs } from './args'
import { askOnce, type Outcome, type Printer, type Session, showRun } from './ask'
import { auditHelp, readAuditArgs } from './audit/args'
import { readAudit } from './audit/audit'
import { batchHelp, readBatchArgs } from './batch/args'
import { batch } from './batch/batch'
import { startConversation } from './conversation'
import { faultText } from './fault'
import { ingestHelp, type IngestOptions, readIngestArgs } from './ingest/args'
import { WrongArgument } from './ingest/find-files'
import { ingest } from './ingest/ingest'
import { printDocuments, removeNamed } from './ingest/manage'
import { keysHelp, readKeysArgs } from './keys/args'
import { manageKeys } from './keys/keys'
import { openLineInput } from './line-input'
import { paintFor, type Screen } from './render/text'
import { readSourcesArgs, sourcesHelp, type SourcesOptions } from './sources/args'
import { manageSources } from './sources/sources'

const codes: Record<Outcome, number> = { answered: 0, failed: 1, parked: 3, unanswered: 4, cancelled: 130 }
/** The maximum width of the output, because longer lines are hard to read. */
const widest = 110
const screenOf = (stream: NodeJS.WriteStream): Screen => ({
  paint: paintFor(stream, process.env),
  width: Math.min(stream.columns ?? 80, widest),
})
const outOn = (stream: NodeJS.WriteStream): Printer => ({
  screen: screenOf(stream),
  print: (lines) => void (lines.length > 0 && stream.write(`${lines.join('\n')}\n`)),
})

const open = (options: Options): Session => ({
  client: createClient({ url: options.url, ...(options.key && { key: options.key }) }),
  options,
  lines: openLineInput(process.stdin, process.stderr),
  results: outOn(process.stdout),
  progress: outOn(process.stderr),
})

const run = async (options: Options): Promise<number> => {
  const session = open(options)
  try {
    if (options.run !== undefined) return codes[await showRun(session, options.run)]
    if (options.question !== '') return codes[await askOnce(session, options.question)]
    await session.client.collections()
    await startConversation(session, dataDirOf(process.env))
    return 0
  } finally {
    session.lines.close()
  }
}

const printHelp = (text: string): number => {
  process.stdout.write(`${text}\n`)
  return 0
}
const refused = (message: string): number => {
  process.stderr.write(`${message}\n`)
  return 2
}

const runIngest = (kind: 'ingest' | 'ls' | 'rm', options: IngestOptions): Promise<number> => {
  const { stdout, stderr } = process
  const result = { options, output: stdout, screen: screenOf(stdout) }
  if (kind === 'ls') return printDocuments(result)
  if (kind === 'rm') return removeNamed(result)
  return ingest({ ...result, progress: { output: stderr, screen: screenOf(stderr) } })
}

const runSources = (options: SourcesOptions): Promise<number> =>
  manageSources({ options, screen: screenOf(process.stdout), output: process.stdout, progress: process.stderr })

const inWords = async (work: Promise<number>, url: string): Promise<number> => {
  try {
    return await work
  } catch (error) {
    const words = error instanceof WrongArgument ? error.message : faultText(error, url)
    if (words === null) throw error
    process.stderr.write(`${paintFor(process.stderr, process.env).bad(clean(words))}\n`)
    return 1
  }
}

const runKeys = (words: string[], own: string | null): number | Promise<number> => {
  const command = readKeysArgs(words, process.env, own)
  if (command.kind === 'help') return printHelp(keysHelp)
  if (command.kind === 'fault') return refused(command.message)
  const { stdout: output, stderr: aside, env } = process
  return inWords(manageKeys(command, { output, aside, env, screen: screenOf(output) }), command.options.url)
}

const runAudit = (words: string[], own: string | null): number | Promise<number> => {
  const command = readAuditArgs(words, process.env, own)
  if (command.kind === 'help') return printHelp(auditHelp)
  if (command.kind === 'fault') return refused(command.message)
  const { stdout: output } = process
  return inWords(readAudit(command, { output, screen: screenOf(output) }), command.place.url)
}

const runAbandoned = (words: string[], own: string | null): number | Promise<number> => {
  const command = readAbandonedArgs(words, process.env, own)
  if (command.kind === 'help') return printHelp(abandonedHelp)
  if (command.kind === 'fault') return refused(command.message)
  const { stdout: output } = process
  return inWords(manageAbandoned(command, { output, screen: screenOf(output) }), command.place.url)
}

const runBatch = (words: string[], own: string | null): number | Promise<number> => {
  const command = readBatchArgs(words, process.env, own)
  if (command.kind === 'help') return printHelp(batchHelp)
  if (command.kind === 'fault') return refused(command.message)
  const { stdout: output, stderr: progress, stdin: input } = process
  const { options } = command
  return inWords(batch({ options, output, progress, input, screen: screenOf(progress) }), options.url)
}

const main = async (): Promise<number> => {
  const [name, ...words] = process.argv.slice(2)
  const own = notedGateway(dataDirOf(process.env))
  if (name === 'keys') return runKeys(words, own)
  if (name === 'batch') return runBatch(words, own)
  if (name === 'audit') return runAudit(words, own)
  if (name === 'abandoned') return runAbandoned(words, own)
  if (name === 'ingest') {
    const command = readIngestArgs(words, process.env, own)
    if (command.kind === 'help') return printHelp(ingestHelp)
    return command.kind === 'fault'
      ? refused(command.message)
      : inWords(runIngest(command.kind, command.options), command.options.url)
  }
  if (name === 'sources') {
    const command = readSourcesArgs(words, process.env, own)
    if (command.kind === 'help') return printHelp(sourcesHelp)
    return command.kind === 'fault'
      ? refused(command.message)
      : inWords(runSources(command.options), command.options.url)
  }
  const command = readArgs(process.argv.slice(2), process.env, own)
  if (command.kind === 'help') return printHelp(help)
  return command.kind === 'fault' ? refused(command.message) : inWords(run(command.options), command.options.url)
}

// If the reader closes the pipe (such as `| head`), exit without an error.
process.stdout.on('error', () => process.exit(0))
process.exit(await main())
