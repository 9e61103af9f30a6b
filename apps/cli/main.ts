import { createClient } from '@plumbline/client'
import { help, readArgs, type Options } from './args'
import { askOnce, lookAt, type Outcome } from './ask'
import { faultWords } from './fault'
import { openLines } from './lines'
import { paintFor } from './render/paint'
import type { Session } from './session'
import { talk } from './talk'

const codes: Record<Outcome, number> = { shown: 0, failed: 1, parked: 3, cancelled: 130 }
const widest = 110

const open = (options: Options): Session => ({
  client: createClient({ url: options.url, ...(options.key && { key: options.key }) }),
  options,
  screen: { paint: paintFor(process.stdout, process.env), width: Math.min(process.stdout.columns ?? widest, widest) },
  lines: openLines(process.stdin, process.stdout),
  print: (lines) => void (lines.length > 0 && process.stdout.write(`${lines.join('\n')}\n`)),
})

const run = async (options: Options): Promise<number> => {
  const session = open(options)
  try {
    if (options.run !== undefined) return codes[await lookAt(session, options.run)]
    if (options.question !== '') return codes[await askOnce(session, options.question)]
    await session.client.collections()
    await talk(session, process.env.DATA_DIR?.trim() || '.data')
    return 0
  } finally {
    session.lines.close()
  }
}

const main = async (): Promise<number> => {
  const command = readArgs(process.argv.slice(2), process.env)
  if (command.kind === 'help') {
    process.stdout.write(`${help}\n`)
    return 0
  }
  if (command.kind === 'fault') {
    process.stderr.write(`${command.message}\n`)
    return 2
  }
  try {
    return await run(command.options)
  } catch (error) {
    const words = faultWords(error, command.options.url)
    if (words === null) throw error
    process.stderr.write(`${paintFor(process.stderr, process.env).bad(words)}\n`)
    return 1
  }
}

// A reader that went away (`| head`) is not a fault.
process.stdout.on('error', () => process.exit(0))
process.exit(await main())
