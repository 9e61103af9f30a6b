import { Ask, chatFieldsIgnored, type ChatMessage, type ChatRequest, clean } from '@plumbline/contracts'
import { z } from 'zod'
import { Refusal, wrongField } from '../http/problem'
import { validate } from '../http/validate'
import type { PolicyBook } from '../ports'
import type { Asking } from '../runs/ask.service'
import type { Turn } from '../runs/conversation'

/** Asks as a request without a policy does: the collection, the operator's rules or the default name it. */
const anyPolicy = 'plumbline'

export const modelsOf = ({ all }: PolicyBook): string[] => [...new Set([anyPolicy, ...all.map(({ name }) => name)])]

/** The policy that a model stands for; undefined where the ask is to find its own. */
export const policyNamed = (book: PolicyBook, model: string): string | undefined => {
  const models = modelsOf(book)
  if (!models.includes(model))
    throw new Refusal('not-found', `There is no model ${model}: use one of ${models.join(', ')}.`, {
      errors: [{ field: 'model', message: 'there is no such model' }],
    })
  return model === anyPolicy ? undefined : model
}

const textOf = ({ content }: ChatMessage): string => {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text).join('\n')
}

/** Each message of the user begins a turn; what stands before the first was said to nobody. */
const turnsOf = (messages: ChatMessage[]): Turn[] => {
  const turns: Turn[] = []
  for (const message of messages) {
    const text = clean(textOf(message)).toWellFormed().trim()
    const last = turns.at(-1)
    if (message.role === 'user') turns.push({ question: text, text: '' })
    else if (last && message.role === 'assistant') last.text = [last.text, text].filter(Boolean).join('\n\n')
  }
  return turns
}

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer'

/** The last message, as the question; where it stands in the request is told where it cannot be one. */
const questionIn = (messages: ChatMessage[]): { question: string; before: ChatMessage[] } => {
  const at = messages.findLastIndex((message) => !isInstruction(message))
  const last = messages[at]
  if (last?.role !== 'user') throw wrongField('messages', 'end with a message of the user, which is the question')
  const field = `messages.${at}.content`
  const question = validate(z.object({ [field]: Ask.shape.question }), { [field]: textOf(last) })[field] ?? ''
  return { question, before: messages.slice(0, at) }
}

/** What a request for a completion asks. Instructions to a model are no part of it: how an answer is written and checked is the policy's. */
export const askedBy = (book: PolicyBook, { model, messages, metadata, plumbline = {} }: ChatRequest): Asking => {
  const policy = policyNamed(book, model)
  const { question, before } = questionIn(messages)
  return {
    ...plumbline,
    question,
    ...(policy !== undefined && { policy }),
    ...(metadata && { metadata }),
    // A thread knows what was said in it.
    ...(plumbline.threadId === undefined && { turns: turnsOf(before) }),
  }
}

/** What was sent and has no effect, for who wonders. */
export const ignoredIn = (request: ChatRequest): string[] => [
  ...request.messages.flatMap((message, at) => (isInstruction(message) ? [`messages.${at}`] : [])),
  ...chatFieldsIgnored.filter((field) => request[field] !== undefined && request[field] !== null),
]
