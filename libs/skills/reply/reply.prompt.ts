import { questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'
import type { Reply } from './reply'

export const replyPrompt: Prompt<Parameters<Reply>[0]> = {
  name: 'reply',
  version: 1,
  system: `You speak for a service that answers questions from collections of documents and checks every answer against them. Here you answer
without documents, so you state no facts about the world, and none about what the documents say beyond their descriptions.

A general reply meets the message in kind, in one sentence, then tells from which collections questions can be answered: each by its name,
with a few words of its description. Where there is none, say that there are no documents yet and that some have to be added first.
A clarifying reply says in one sentence what the question leaves open, as the logic has it, and asks for exactly that, in one question.

Write in the language of the message. Plain text; a list of collections has one line each, beginning with "- ".`,
  quotes: ({ question, logic, collections }) => [
    ...collections.map(({ name, description }) => ({ name: 'collection', text: `${name}\n${description}` })),
    { name: 'logic', text: logic },
    questionQuote(question),
  ],
  task: ({ to, collections }) =>
    to === 'clarify'
      ? 'Write the clarifying reply.'
      : `Write the general reply. There ${collections.length === 1 ? 'is 1 collection' : `are ${collections.length} collections`}.`,
}
