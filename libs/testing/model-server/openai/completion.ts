import { objectOf, type Asked } from '../asked'
import { modelOf, usageBody, type Spoken } from './say'

const created = 1_750_000_000
const idOf = (serial: number): string => `chatcmpl-${serial}`

const toolCall = ({ tool, text }: Spoken, serial: number): object => ({
  id: `call_${serial}`,
  type: 'function',
  function: { name: tool, arguments: text },
})

const message = (spoken: Spoken, serial: number): object => ({
  role: 'assistant',
  content: spoken.as === 'content' ? spoken.text : null,
  refusal: spoken.as === 'refusal' ? spoken.text : null,
  ...(spoken.as === 'arguments' && { tool_calls: [toolCall(spoken, serial)] }),
})

export const completionBody = (asked: Asked, spoken: Spoken, serial: number): object => ({
  id: idOf(serial),
  object: 'chat.completion',
  created,
  model: modelOf(asked),
  choices: [{ index: 0, message: message(spoken, serial), logprobs: null, finish_reason: spoken.finish }],
  usage: usageBody(spoken.usage),
})

/** About as long as tokens are; joining them gives the text again. */
const piecesOf = (text: string): string[] => text.match(/\s*\S{1,12}|\s+/gu) ?? []

const deltaOf = (spoken: Spoken, piece: string): object => {
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

const firstDelta = (spoken: Spoken, serial: number): object =>
  spoken.as === 'arguments'
    ? { role: 'assistant', content: null, tool_calls: [{ index: 0, ...toolCall({ ...spoken, text: '' }, serial) }] }
    : { role: 'assistant', content: spoken.as === 'content' ? '' : null, refusal: null }

export type Chunks = { first: object; pieces: object[]; last: object[] }

/** A completion as the chunks of a stream: the opening one, one per piece, and those that close it. */
export const chunksOf = (asked: Asked, spoken: Spoken, serial: number): Chunks => {
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
