import { createClient } from '@plumbline/client'
import { type AbandonedTask, type BulkReplayed, cleanName } from '@plumbline/contracts'
import { count, type Screen } from '../render/text'
import type { AbandonedCommand } from './args'

type Output = { write(text: string): unknown }

const failedCode = 4

const taskLine = ({ at, runId, taskId, reason, status, question = '' }: AbandonedTask, { paint }: Screen): string =>
  `  ${paint.dim(at.slice(0, 19).replace('T', ' '))}  ${runId}  ${taskId}  ${paint.warn(cleanName(reason))}  ${status ?? 'deleted'}  ${cleanName(question)}`

const replayLine = ({ runId, replayed, problem = '' }: BulkReplayed['items'][number], { paint }: Screen): string =>
  `  ${runId}  ${replayed ? `asked again as ${replayed.runId}` : paint.bad(cleanName(problem))}`

export const manageAbandoned = async (
  command: Exclude<AbandonedCommand, { kind: 'help' | 'fault' }>,
  { output, screen }: { output: Output; screen: Screen },
): Promise<number> => {
  const { url, key } = command.place
  const client = createClient({ url, ...(key && { key }) })
  const print = (found: object, lines: string[]): void =>
    void output.write(command.json ? `${JSON.stringify(found)}\n` : `${lines.join('\n')}\n`)
  if (command.kind === 'list') {
    const found = await client.abandoned()
    print(found, [count(found.items.length, 'abandoned task'), ...found.items.map((task) => taskLine(task, screen))])
    return 0
  }
  const done = await client.replayMany(command.asked)
  const failed = done.items.filter(({ replayed }) => !replayed).length
  const summary = `${count(done.items.length - failed, 'question')} asked again, ${failed} refused`
  print(done, [...done.items.map((item) => replayLine(item, screen)), summary])
  return failed > 0 ? failedCode : 0
}
