import { notedGateway } from '@plumbline/platform/gateway-file'
import { dataDirOf } from './args'

/** The code of a command is loaded only if that command runs, because loading the code of all commands is slow. */
const commands = {
  abandoned: () => import('./abandoned/run'),
  ask: () => import('./run-ask'),
  audit: () => import('./audit/run'),
  batch: () => import('./batch/run'),
  ingest: () => import('./ingest/run'),
  keys: () => import('./keys/run'),
  sources: () => import('./sources/run'),
}
const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name)

const main = async (): Promise<number> => {
  const [name = '', ...words] = process.argv.slice(2)
  const own = notedGateway(dataDirOf(process.env))
  if (isCommand(name)) return (await commands[name]()).run(words, own)
  return (await commands.ask()).run(process.argv.slice(2), own)
}

// If the program that reads the output ends first, as in `| head`, exit without an error.
process.stdout.on('error', () => process.exit(0))
process.exit(await main())
