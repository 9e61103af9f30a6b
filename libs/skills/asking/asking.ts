import type { SkillName } from '@plumbline/flow'
import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from '@plumbline/ports/chat-model'
import type { Call } from '../skill'
import type { Prompt } from './prompt'
import { messagesFor, promptName } from './prompt'

export type ModelOf = (tier: Call['tier']) => ChatModel

/** Who asks which model with which prompt: what the calls of one request have in common. */
export type Asking<In> = { chat: ModelOf; skill: SkillName; prompt: Prompt<In>; input: In; call: Call }

export type Ask = (extra?: { repair?: ChatMessage[] } & Pick<ChatRequest, 'output' | 'onDelta'>) => Promise<ChatReply>

/** Every provider call is told with the prompt it was made for, whatever becomes of its answer. */
export const askFor = <In>({ chat, skill, prompt, input, call }: Asking<In>): Ask => {
  const messages = messagesFor(prompt, input)
  return ({ repair = [], ...rest } = {}) => {
    call.signal.throwIfAborted()
    return chat(call.tier).chat({
      ...rest,
      messages: [...messages, ...repair],
      temperature: call.temperature,
      maxTokens: prompt.maxTokens,
      signal: call.signal,
      onCall: ({ model, usage, fallback }) =>
        call.onCall?.({
          skill,
          model,
          prompt: promptName(prompt),
          usage,
          ...(fallback && { insteadBy: 'fallback' as const }),
        }),
    })
  }
}

const mostShown = 8_000

/** Shows a model what it said and what is wrong with it. Servers refuse an empty message of the assistant. */
export const repairOf = (said: string, fault: string): ChatMessage[] => [
  { role: 'assistant', content: said.trim() === '' ? '(nothing)' : said.slice(0, mostShown) },
  { role: 'user', content: `That cannot be used: ${fault}\nAnswer once more, in full, and put this right.` },
]
