import { printRefusal, screenOf, withFaultText } from '../terminal'
import { readSourcesArgs } from './args'
import { manageSources } from './sources'

export const run = async (words: string[], own: string | null): Promise<number> => {
  const command = readSourcesArgs(words, process.env, own)
  if (command.kind !== 'sources') return printRefusal(command)
  const { options } = command
  const { stdout: output, stderr: progress } = process
  return withFaultText(manageSources({ options, screen: screenOf(output), output, progress }), options.url)
}
