import type { ChatMessage } from '@plumbline/ports/chat-model'
import type { Quote } from './quoting'
import { quoted, quotingRule } from './quoting'

/**
 * Instructions are fixed text of ours; whatever comes from outside goes into quotes. Change a word and the version goes up. What stays the
 * same over several calls stands first, because providers bill a beginning they have seen before at a lower price.
 */
export type Prompt<In> = {
  name: string
  version: number
  system: string
  /** The longest answer, in tokens. */
  maxTokens: number
  /** Quotes that are the same for several calls. */
  stable?: (input: In) => Quote[]
  quotes: (input: In) => Quote[]
  /** What is to be done with the quotes, in our words and numbers only. */
  task: (input: In) => string
}

export const promptName = ({ name, version }: Pick<Prompt<never>, 'name' | 'version'>): string => `${name}@${version}`

const today = (): string => `Today is ${new Date().toISOString().slice(0, 10)}.`

export const messagesFor = <In>({ system, stable, quotes, task }: Prompt<In>, input: In): ChatMessage[] => [
  { role: 'system', content: `${system}\n\n${quotingRule}` },
  { role: 'user', content: `${quoted(stable?.(input) ?? [], quotes(input))}\n\n${today()} ${task(input)}` },
]
