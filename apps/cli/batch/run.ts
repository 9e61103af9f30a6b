import { printRefusal, screenOf, withFaultText } from '../terminal'
import { readBatchArgs } from './args'
import { batch } from './batch'

export const run = async (words: string[], own: string | null): Promise<number> => {
  const command = readBatchArgs(words, process.env, own)
  if (command.kind !== 'batch') return printRefusal(command)
  const { stdout: output, stderr: progress, stdin: input } = process
  const { options } = command
  return withFaultText(batch({ options, output, progress, input, screen: screenOf(progress) }), options.url)
}
