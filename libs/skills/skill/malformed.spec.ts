import type { ModelCall } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server/answer'
import type { ModelServer } from '@plumbline/testing/model-server/model-server'
import { messagesOf } from '@plumbline/testing/scripted-model/prompt-content'
import { z } from 'zod'
import { askModel, type ModelOf, type StructuredResult } from './ask-model'
import type { Prompt } from './prompt'

export const prompt: Prompt<string> = {
  name: 'count',
  version: 3,
  maxTokens: 50,
  system: 'You count.',
  quotes: (text) => [{ name: 'text', text }],
  task: () => 'Count the moons.',
}
export const schema = z.object({ moons: z.int().min(0), of: z.string().nullable() })
export const good = { moons: 2, of: 'Mars' }

const malformed = [
  'Two.',
  '',
  '{',
  '[]',
  'null',
  '{"moons":"2","of":null}',
  '{"moons":2.5,"of":""}',
  '{"of":null}',
  '<html></html>',
  '{"moons":2,"of":null',
  '"2"',
]

/** Sends `count` requests at once. First answers are malformed, second ones are valid if `repairs` is `good`. */
export const askMalformed = async (server: ModelServer, chat: ModelOf, count: number, repairs: 'never' | 'good') => {
  let at = 0
  const wrong = (): string => malformed[(at += 1) % malformed.length] ?? ''
  server.script('count', (asked) => (repairs === 'good' && messagesOf(asked).length > 2 ? answer.json(good) : wrong()))
  const told: ModelCall[] = []
  const call = {
    signal: new AbortController().signal,
    tier: 'small' as const,
    temperature: 0.2,
    onCall: (each: ModelCall) => void told.push(each),
  }
  const asks = Array.from({ length: count }, (_, n) =>
    askModel({ chat, skill: 'plan', prompt, input: 'x'.repeat(n), call, schema }),
  )
  const results = await Promise.allSettled(asks)
  return {
    codes: results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code?: string }).code] : [],
    ),
    values: results.flatMap((result): StructuredResult<z.infer<typeof schema>>[] =>
      result.status === 'fulfilled' ? [result.value] : [],
    ),
    sent: server.calls('chat').length,
    told: told.length,
  }
}
