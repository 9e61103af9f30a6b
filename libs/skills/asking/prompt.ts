import type { ChatMessage } from '@plumbline/ports/chat-model'
import type { Quote } from './quoting'
import { quoted, quotingRule } from './quoting'

/** Instructions are fixed text of ours; whatever comes from outside goes into quotes. Change a word and the version goes up. */
export type Prompt<In> = {
  name: string
  version: number
  system: string
  quotes: (input: In) => Quote[]
  /** What is to be done with the quotes, in our words and numbers only. */
  task: (input: In) => string
}

export const promptName = ({ name, version }: Pick<Prompt<never>, 'name' | 'version'>): string => `${name}@${version}`

export const messagesFor = <In>({ system, quotes, task }: Prompt<In>, input: In): ChatMessage[] => [
  { role: 'system', content: `${system}\n\n${quotingRule}` },
  { role: 'user', content: `${quoted(quotes(input))}\n\n${task(input)}` },
]
