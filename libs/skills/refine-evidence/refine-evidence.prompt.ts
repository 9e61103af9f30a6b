import type { Passage } from '@plumbline/contracts'
import { passageQuote, questionQuote } from '../asking/passages'
import type { Prompt } from '../asking/prompt'

type Input = { question: string; passage: Passage; strips: string[] }

export const refineEvidencePrompt: Prompt<Input> = {
  name: 'refine-evidence',
  version: 2,
  maxTokens: 400,
  system: `You cut a passage down to what bears on a question. The passage is given in numbered strips: sentences, list items and whole tables.
Choose by number every strip that answers a part of the question, or that such a strip cannot be understood without. Leave out what is
only about the same subject. If no strip answers anything, choose none.`,
  quotes: ({ question, passage, strips }) => [
    passageQuote({ ...passage, text: strips.map((strip, at) => `(${at + 1}) ${strip}`).join('\n') }, 1),
    questionQuote(question),
  ],
  task: ({ strips }) => `Choose among the strips 1 to ${strips.length}.`,
}
