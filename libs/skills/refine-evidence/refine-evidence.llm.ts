import type { Passage } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { passageQuote, type Prompt, questionQuote } from '../skill/prompt'
import type { RefineEvidence } from '../skill/skill'
import { splitIntoStrips } from './refine-evidence.offline'

type Input = { question: string; passage: Passage; strips: string[] }

export const refineEvidencePrompt: Prompt<Input> = {
  name: 'refine-evidence',
  version: 3,
  maxTokens: 400,
  system: `You cut a passage down to what answers a question. It is given in numbered strips: sentences, list items and whole tables.
Choose every strip that answers a part of the question or that a chosen strip needs to be understood. If none answers anything, choose none.`,
  quotes: ({ question, passage, strips }) => [
    passageQuote({ ...passage, text: strips.map((strip, at) => `(${at + 1}) ${strip}`).join('\n') }, 1),
    questionQuote(question),
  ],
  task: ({ strips }) => `Choose among the strips 1 to ${strips.length}.`,
}

const Chosen = z.object({ strips: z.array(z.int()) })

export const llmRefineEvidence =
  (chat: ModelOf): RefineEvidence =>
  async (given, call) => {
    call.signal.throwIfAborted()
    const strips = splitIntoStrips(given.passage)
    if (strips.length === 0) return []
    const input = { ...given, strips }
    const request = { chat, skill: 'refineEvidence' as const, prompt: refineEvidencePrompt, call, schema: Chosen }
    const result = await askModel({ ...request, input })
    return strips.filter((_, at) => result.kind === 'refused' || result.value.strips.includes(at + 1))
  }
