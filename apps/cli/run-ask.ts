import { createClient } from '@plumbline/client'
import { dataDirOf, type Options, readArgs } from './args'
import { askOnce, type Outcome, type Printer, type Session, showRun } from './ask'
import { startConversation } from './conversation'
import { openLineInput } from './line-input'
import { printRefusal, screenOf, withFaultText } from './terminal'

const codes: Record<Outcome, number> = { answered: 0, failed: 1, parked: 3, unanswered: 4, cancelled: 130 }

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

const ask = async (options: Options): Promise<number> => {
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

export const run = async (words: string[], own: string | null): Promise<number> => {
  const command = readArgs(words, process.env, own)
  return command.kind === 'ask' ? withFaultText(ask(command.options), command.options.url) : printRefusal(command)
}
