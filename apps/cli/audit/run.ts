import { printRefusal, screenOf, withFaultText } from '../terminal'
import { readAuditArgs } from './args'
import { readAudit } from './audit'

export const run = async (words: string[], own: string | null): Promise<number> => {
  const command = readAuditArgs(words, process.env, own)
  if (command.kind === 'help' || command.kind === 'fault') return printRefusal(command)
  const { stdout: output } = process
  return withFaultText(readAudit(command, { output, screen: screenOf(output) }), command.place.url)
}
