import type { Answer, Content } from '../answer'
import { formOf, objectOf, stringOf, type ModelRequest, type Form } from '../request'
import { instanceOf } from '../json-schema-instance'

type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

export type CompletionContent = {
  text: string
  as: 'content' | 'refusal' | 'arguments'
  tool?: string
  finish: Finish
  usage: TokenUsage
}

export type TokenUsage = { prompt: number; completion: number; cached: number }

const defaultText = 'The recording model server has no script for this.'
const charsPerToken = 4

export const tokensOf = (text: string): number => Math.ceil(text.length / charsPerToken)

const jsonOf = (form: Form): unknown => {
  switch (form.kind) {
    case 'text':
      return defaultText
    case 'object':
      return {}
    case 'schema':
    case 'tool':
      return instanceOf(form.schema)
    default:
      return form satisfies never
  }
}

const textOf = (content: Content, form: Form): string => {
  switch (content.kind) {
    case 'default':
      return form.kind === 'text' ? defaultText : JSON.stringify(jsonOf(form))
    case 'text':
      return content.text
    case 'json':
      return JSON.stringify(content.value)
    case 'refusal':
      return content.reason
    default:
      return content satisfies never
  }
}

const limitOf = (asked: ModelRequest): number => {
  const { max_completion_tokens: now, max_tokens: before } = objectOf(asked.body)
  return typeof now === 'number' ? now : typeof before === 'number' ? before : Infinity
}

type Said = { content: Content; cachedTokens?: number; finish?: 'length' | 'content_filter' }

export const speak = (asked: ModelRequest, said: Said, cachedTokens: number): CompletionContent => {
  const form = formOf(asked)
  const whole = textOf(said.content, form)
  const cut = tokensOf(whole) > limitOf(asked)
  const text = cut ? whole.slice(0, limitOf(asked) * charsPerToken) : whole
  const refused = said.content.kind === 'refusal'
  const called = form.kind === 'tool' && !refused
  const natural: Finish = called && !form.named ? 'tool_calls' : 'stop'
  const prompt = Math.max(1, tokensOf(asked.text))
  return {
    text,
    as: refused ? 'refusal' : called ? 'arguments' : 'content',
    ...(called && { tool: form.name }),
    finish: said.finish ?? (cut ? 'length' : natural),
    usage: { prompt, completion: tokensOf(text), cached: Math.min(prompt, said.cachedTokens ?? cachedTokens) },
  }
}

const usageBody = ({ prompt, completion, cached }: TokenUsage): object => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

export const contentOf = (given: Extract<Answer, { kind: 'content' | 'trickle' | 'reset' }>): Said => ({
  content: given.content,
  ...(given.kind === 'content' && { cachedTokens: given.cachedTokens, finish: given.finish }),
})

export const modelOf = (asked: ModelRequest): string => stringOf(asked.model) || 'unnamed'

const created = 1_750_000_000
const idOf = (serial: number): string => `chatcmpl-${serial}`

const toolCall = ({ tool, text }: CompletionContent, serial: number): object => ({
  id: `call_${serial}`,
  type: 'function',
  function: { name: tool, arguments: text },
})

const message = (spoken: CompletionContent, serial: number): object => ({
  role: 'assistant',
  content: spoken.as === 'content' ? spoken.text : null,
  refusal: spoken.as === 'refusal' ? spoken.text : null,
  ...(spoken.as === 'arguments' && { tool_calls: [toolCall(spoken, serial)] }),
})

export const completionBody = (asked: ModelRequest, spoken: CompletionContent, serial: number): object => ({
  id: idOf(serial),
  object: 'chat.completion',
  created,
  model: modelOf(asked),
  choices: [{ index: 0, message: message(spoken, serial), logprobs: null, finish_reason: spoken.finish }],
  usage: usageBody(spoken.usage),
})

const piecesOf = (text: string): string[] => text.match(/\s*\S{1,12}|\s+/gu) ?? []

const deltaOf = (spoken: CompletionContent, piece: string): object => {
  switch (spoken.as) {
    case 'content':
      return { content: piece }
    case 'refusal':
      return { refusal: piece }
    case 'arguments':
      return { tool_calls: [{ index: 0, function: { arguments: piece } }] }
    default:
      return spoken.as satisfies never
  }
}

const firstDelta = (spoken: CompletionContent, serial: number): object =>
  spoken.as === 'arguments'
    ? { role: 'assistant', content: null, tool_calls: [{ index: 0, ...toolCall({ ...spoken, text: '' }, serial) }] }
    : { role: 'assistant', content: spoken.as === 'content' ? '' : null, refusal: null }

export type Chunks = { first: object; pieces: object[]; last: object[] }

export const chunksOf = (asked: ModelRequest, spoken: CompletionContent, serial: number): Chunks => {
  const counted = objectOf(objectOf(asked.body).stream_options).include_usage === true
  const base = { id: idOf(serial), object: 'chat.completion.chunk', created, model: modelOf(asked) }
  const chunk = (delta: object, finish: string | null = null): object => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(counted && { usage: null }),
  })
  return {
    first: chunk(firstDelta(spoken, serial)),
    pieces: piecesOf(spoken.text).map((piece) => chunk(deltaOf(spoken, piece))),
    last: [chunk({}, spoken.finish), ...(counted ? [{ ...base, choices: [], usage: usageBody(spoken.usage) }] : [])],
  }
}

export const eventOf = (chunk: object | string): string =>
  `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`
export const endOfStream = eventOf('[DONE]')
