import { printRefusal, screenOf, withFaultText } from '../terminal'
import { manageAbandoned } from './abandoned'
import { readAbandonedArgs } from './args'

export const run = async (words: string[], own: string | null): Promise<number> => {
  const command = readAbandonedArgs(words, process.env, own)
  if (command.kind === 'help' || command.kind === 'fault') return printRefusal(command)
  const { stdout: output } = process
  return withFaultText(manageAbandoned(command, { output, screen: screenOf(output) }), command.place.url)
}
