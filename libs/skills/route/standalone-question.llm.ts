import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import { type Prompt, questionQuote } from '../skill/prompt'
import type { StandaloneQuestion } from '../skill/skill'
import { standaloneResult, summaryFault, summaryTask, threadQuotes } from './thread'

type Input = Parameters<StandaloneQuestion>[0]

export const standaloneQuestionPrompt: Prompt<Input> = {
  name: 'standalone-question',
  version: 2,
  maxTokens: 600,
  system: `You see a conversation and the asker's next message, as "question". Write that message as a question that a reader understands without the conversation.

question: replace "it", "there" or "and in 2023?" with the names, things and times that they refer to, and drop a leading "And". Take only names from
  the conversation, never facts or figures of the answers. Use the asker's language, and ask nothing that the message does not ask. If the last turn asked the asker
  something and the message answers it, write the asker's own earlier question, completed by that answer. If the message is already complete, starts a new
  subject, or is a greeting or thanks, repeat it word for word.
summary: null, unless the task asks for a summary.`,
  quotes: ({ question, thread }) => [...threadQuotes(thread), questionQuote(question)],
  task: ({ thread }) =>
    `${thread.askedBack ? 'The last turn asked the asker something. ' : ''}Write the complete question.${summaryTask(thread)}`,
}

const Standalone = z.object({ question: z.string(), summary: z.string().nullable() })

export const llmStandaloneQuestion =
  (chat: ModelOf): StandaloneQuestion =>
  async (input, call) => {
    call.signal.throwIfAborted()
    const request = { chat, skill: 'route' as const, prompt: standaloneQuestionPrompt, input, call }
    const result = await askModel({
      ...request,
      schema: Standalone,
      faultIn: ({ summary }) => summaryFault(input.thread, summary),
    })
    return result.kind === 'refused' ? {} : standaloneResult(input, result.value)
  }
