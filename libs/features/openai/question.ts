import { Ask, chatFieldsIgnored, type ChatMessage, type ChatRequest, clean } from '@plumbline/contracts'
import { z } from 'zod'
import { Refusal, wrongField } from '@plumbline/gateway/http/problem'
import { validate } from '@plumbline/gateway/http/validate'
import type { PolicyBook } from '@plumbline/gateway/ports'
import type { AskWithTurns } from '@plumbline/gateway/runs/ask.service'
import type { ThreadTurn } from '@plumbline/gateway/runs/conversation'

/** The model name for requests without a policy. A routing rule, the collection or the default selects the policy. */
const anyPolicy = 'plumbline'

export const modelsOf = ({ offered }: PolicyBook): string[] => [
  ...new Set([anyPolicy, ...offered.map(({ name }) => name)]),
]

export const policyOfModel = (book: PolicyBook, model: string): string | undefined => {
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

/** Marks an earlier answer as incomplete. Only the prompt of the router contains this text. It selects the policy. */
const incompleteMark = 'Only the beginning of the answer:'

const answerIn = (message: ChatMessage, text: string): string =>
  message.role === 'assistant' && message.plumbline?.partial && text !== '' ? `${incompleteMark} ${text}` : text

const turnsOf = (messages: ChatMessage[]): ThreadTurn[] => {
  const turns: ThreadTurn[] = []
  for (const message of messages) {
    const text = clean(textOf(message)).toWellFormed().trim()
    const last = turns.at(-1)
    if (message.role === 'user') turns.push({ question: text, text: '' })
    else if (last && message.role === 'assistant')
      last.text = [last.text, answerIn(message, text)].filter(Boolean).join('\n\n')
  }
  return turns
}

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer'

const questionIn = (messages: ChatMessage[]): { question: string; before: ChatMessage[] } => {
  const at = messages.findLastIndex((message) => !isInstruction(message))
  const last = messages[at]
  if (last?.role !== 'user')
    throw wrongField('messages', 'end the messages with the question, in a message with the role user')
  const field = `messages.${at}.content`
  const question = validate(z.object({ [field]: Ask.shape.question }), { [field]: textOf(last) })[field] ?? ''
  return { question, before: messages.slice(0, at) }
}

/** Turns chat messages into a question. Ignores system messages, because the policy decides how answers are written. */
export const askFromMessages = (
  book: PolicyBook,
  { model, messages, metadata, plumbline = {} }: ChatRequest,
): AskWithTurns => {
  const policy = policyOfModel(book, model)
  const { question, before } = questionIn(messages)
  return {
    ...plumbline,
    question,
    ...(policy !== undefined && { policy }),
    ...(metadata && { metadata }),
    // A thread stores its own turns, so the turns that the client sent are ignored.
    ...(plumbline.threadId === undefined && { turns: turnsOf(before) }),
  }
}

export const ignoredIn = (request: ChatRequest): string[] => [
  ...request.messages.flatMap((message, at) => (isInstruction(message) ? [`messages.${at}`] : [])),
  ...chatFieldsIgnored.filter((field) => request[field] !== undefined && request[field] !== null),
]
