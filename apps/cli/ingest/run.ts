import { printRefusal, screenOf, withFaultText } from '../terminal'
import { type IngestOptions, readIngestArgs } from './args'
import { ingest } from './ingest'
import { printDocuments, removeNamed } from './manage'

const start = (kind: 'ingest' | 'ls' | 'rm', options: IngestOptions): Promise<number> => {
  const { stdout, stderr } = process
  const result = { options, output: stdout, screen: screenOf(stdout) }
  if (kind === 'ls') return printDocuments(result)
  if (kind === 'rm') return removeNamed(result)
  return ingest({ ...result, progress: { output: stderr, screen: screenOf(stderr) } })
}

export const run = async (words: string[], own: string | null): Promise<number> => {
  const command = readIngestArgs(words, process.env, own)
  if (command.kind === 'help' || command.kind === 'fault') return printRefusal(command)
  return withFaultText(start(command.kind, command.options), command.options.url)
}
