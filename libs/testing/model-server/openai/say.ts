import type { Answer, Content } from '../answer'
import { formOf, objectOf, stringOf, type Asked, type Form } from '../asked'
import { instanceOf } from '../instance'

type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** One choice of a completion, however it is sent. */
export type Spoken = {
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

const limitOf = (asked: Asked): number => {
  const { max_completion_tokens: now, max_tokens: before } = objectOf(asked.body)
  return typeof now === 'number' ? now : typeof before === 'number' ? before : Infinity
}

type Said = { content: Content; cachedTokens?: number; finish?: 'length' | 'content_filter' }

export const speak = (asked: Asked, said: Said, cachedTokens: number): Spoken => {
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

/** The content of an answer that is the right message with the wrong thing inside. */
export const wrongContent = (asked: Asked, how: 'not-json' | 'wrong-type' | 'empty'): Content => {
  if (how === 'empty') return { kind: 'text', text: '' }
  if (how === 'not-json') return { kind: 'text', text: 'Sure! Here is what you asked for: {"almost": json' }
  const fields = Object.entries(objectOf(jsonOf(formOf(asked))))
  return {
    kind: 'json',
    value: Object.fromEntries(fields.map(([key, value]) => [key, typeof value === 'string' ? 7 : 'seven'])),
  }
}

export const usageBody = ({ prompt, completion, cached }: TokenUsage): object => ({
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

export const contentOf = (given: Extract<Answer, { kind: 'content' | 'trickle' | 'reset' | 'broken-off' }>): Said => ({
  content: given.content,
  ...(given.kind === 'content' && { cachedTokens: given.cachedTokens, finish: given.finish }),
})

export const modelOf = (asked: Asked): string => stringOf(asked.model) || 'unnamed'
