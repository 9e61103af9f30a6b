import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import type { ModelServer } from '@plumbline/testing/model-server'
import { startModelServer } from '@plumbline/testing/model-server'
import { messagesOf, readShown } from '@plumbline/testing/scripted-model'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Call } from '../skill'
import type { ModelOf } from './asking'

export const callWith = (fields: Partial<Call> = {}): Call => ({
  signal: new AbortController().signal,
  tier: 'small',
  temperature: 0,
  ...fields,
})

/** A recording model server for the specs of one file, and what the prompts it was sent showed. */
export const useModel = () => {
  let server: ModelServer
  beforeAll(async () => {
    server = await startModelServer({ validate: false })
  })
  afterEach(() => server.reset())
  afterAll(() => server.close())
  const chat: ModelOf = () => chatOverHttp(server.openaiUrl)
  const sent = () => server.calls('chat').map(messagesOf)
  return {
    chat,
    server: () => server,
    sent,
    systems: () => sent().map(([system]) => system?.content ?? ''),
    shown: () => sent().map((messages) => readShown(messages[1]?.content ?? '')),
  }
}
