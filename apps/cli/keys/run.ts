import { printRefusal, screenOf, withFaultText } from '../terminal'
import { readKeysArgs } from './args'
import { manageKeys } from './keys'

export const run = async (words: string[], own: string | null): Promise<number> => {
  const command = readKeysArgs(words, process.env, own)
  if (command.kind === 'help' || command.kind === 'fault') return printRefusal(command)
  const { stdout: output, stderr: aside, env } = process
  return withFaultText(manageKeys(command, { output, aside, env, screen: screenOf(output) }), command.options.url)
}
