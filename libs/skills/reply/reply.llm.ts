import { strayAddresses } from '@plumbline/knowledge/claims/addresses'
import { strayFigures } from '@plumbline/knowledge/claims/figures'
import { askText, type ModelOf } from '../skill/ask-model'
import { collectionQuotes, type Prompt, questionQuote, quoteLines } from '../skill/prompt'
import type { Reply } from '../skill/skill'
import { asPassage } from '../skill/workings'
import { offlineReply } from './reply.offline'

type Input = Parameters<Reply>[0]

const tasks: Record<Input['to'], string> = {
  general: 'Write the general reply.',
  clarify: 'Write the clarifying reply.',
  narrow: 'Write the narrowing reply.',
  decline: 'Write the declining reply.',
  knowledge: 'Write the reply from common knowledge.',
}

export const replyPrompt: Prompt<Input> = {
  name: 'reply',
  version: 3,
  maxTokens: 500,
  system: `You speak for a service that answers questions from document collections. Here you answer without documents: state nothing of what they say
beyond their descriptions, and write no links, addresses or digits.

general: answers a greeting or a question about the service in one sentence, then lists the collections, each with a few words of its description. Thanks get one
  short sentence and no list. Without collections, say that documents have to be added first. Say if the service cannot tell something, such as the weather.
clarify: says in one sentence what the logic leaves open, and asks for exactly that.
narrow: asks in one sentence which of the dimensions is meant, and names only those.
decline: says kindly in one or two sentences that the collections are not for this, and what they are for.
knowledge: answers in one to three sentences from common knowledge, and says if you are not sure.

Write in the language of the message, as plain text. A list of collections has one line each, beginning with "- ".`,
  stable: ({ collections }) => collectionQuotes(collections),
  quotes: ({ question, logic, dimensions }) => [
    { name: 'logic', text: logic },
    ...quoteLines(
      'dimensions',
      dimensions?.map((dimension) => `- ${dimension}`),
    ),
    questionQuote(question),
  ],
  task: ({ to, collections }) =>
    `${tasks[to]} There ${collections.length === 1 ? 'is 1 collection' : `are ${collections.length} collections`}.`,
}

/** Returns whether the text has no links and, outside the names of collections and topics, no numbers. */
const isPlain = (text: string, { collections, dimensions = [] }: Input): boolean => {
  const names = [...collections.map(({ name }) => name), ...dimensions]
  return strayAddresses(text, []).length === 0 && strayFigures(text, names.map(asPassage)).length === 0
}

export const llmReply =
  (chat: ModelOf): Reply =>
  async (input, call) => {
    const result = await askText({ chat, skill: 'reply', prompt: replyPrompt, input, call })
    if (result.kind === 'refused') return { text: '', refused: result.reason }
    return isPlain(result.text, input) ? { text: result.text, written: true } : offlineReply(input, call)
  }
