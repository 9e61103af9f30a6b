import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import {
  inDocumentOrder,
  type NumberedPassage,
  numberedQuotes,
  numberPassages,
  type Prompt,
  questionQuote,
  withinBudget,
} from '../skill/prompt'
import type { ShortAnswer } from '../skill/skill'

const Short = z.object({ value: z.string().nullable() })

export const shortAnswerPrompt: Prompt<{ question: string; passages: NumberedPassage[] }> = {
  name: 'short-answer',
  version: 1,
  maxTokens: 400,
  system: `You find what a question asks for in passages, as the few words that can stand in the next question: a name, a date, a figure with its unit.
"Who led the survey?" gives "Ines Aalto", not a sentence. Where several are asked for, separate them by commas. Take the words of the passages;
null where they do not tell it, or give different answers.`,
  quotes: ({ question, passages }) => [...numberedQuotes(passages), questionQuote(question)],
  task: () => 'What does the question ask for?',
}

/** The maximum length in characters. The answer is inserted into the question of a later step. */
const longest = 200

export const llmShortAnswer =
  (chat: ModelOf, evidenceTokens: number): ShortAnswer =>
  async ({ question, evidence }, call) => {
    call.signal.throwIfAborted()
    if (evidence.length === 0) return null
    const input = {
      question,
      passages: numberPassages(withinBudget(evidenceTokens, question, inDocumentOrder(evidence))),
    }
    const result = await askModel({ chat, skill: 'answer', prompt: shortAnswerPrompt, input, call, schema: Short })
    if (result.kind === 'refused' || result.value.value === null) return null
    const value = result.value.value.replace(/\s+/g, ' ').trim()
    return value === '' || value.length > longest ? null : value
  }
