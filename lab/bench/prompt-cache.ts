import type { RecordedRequest } from '@plumbline/testing/model-server/receive'
import { messagesOf } from '@plumbline/testing/scripted-model/prompt-content'

/** Typical values of providers, in tokens: the shortest prefix that is cached, and the step to longer prefixes. */
const least = 1_024
const step = 128
const charsPerToken = 4

type Beginning = { model: string; schema: string; text: string }

const beginningOf = ({ model, body }: RecordedRequest): Beginning => {
  const { response_format: schema, tools } = body as { response_format?: unknown; tools?: unknown }
  const text = messagesOf({ body })
    .map(({ role, content }) => `${role}\n${content}`)
    .join('\n')
  return { model, schema: JSON.stringify([schema, tools]), text }
}

const sharedTokens = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a[at] === b[at]) at += 1
  return Math.floor(at / charsPerToken)
}

/** With `schema-first`, the schema precedes the messages, so requests with different schemas share no prefix. */
export const cachedTokens = (requests: readonly RecordedRequest[], how: 'schema-first' | 'messages'): number[] => {
  const all = requests.map(beginningOf)
  return all.map(({ model, schema, text }, at) => {
    const before = all
      .slice(0, at)
      .filter((one) => one.model === model && (how === 'messages' || one.schema === schema))
    const shared = Math.max(0, ...before.map((one) => sharedTokens(one.text, text)))
    return shared < least ? 0 : shared - (shared % step)
  })
}
