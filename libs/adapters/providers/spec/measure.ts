import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatRequest, ProviderCall } from '@plumbline/ports/chat-model'
import { answer, type Answer } from '@plumbline/testing/model-server/answer'
import type { ModelServer } from '@plumbline/testing/model-server/model-server'
import type { RecordedRequest } from '@plumbline/testing/model-server/receive'
import type { Scripted } from '@plumbline/testing/model-server/script'
import { resilience, type Resilience } from '../resilience'
import { chatOver, chatRequest, thrownBy } from './chat'

type Form = Partial<ChatRequest>
type Fault = Scripted

const words = 'word '.repeat(400)

export const downs: Record<string, Fault> = {
  'answers 500': answer.status(500),
  'answers 503': answer.status(503),
  'resets connections': answer.reset('before-headers'),
  'answers something else': answer.typed(),
  'says 429 without a time': answer.limited(),
}

export const passing: Record<string, Fault> = {
  'a 500': answer.status(500),
  'a 502 that is HTML': answer.status(502),
  'a 503': answer.status(503),
  'a 529': answer.status(529),
  'a 429': answer.limited(),
  'a 429 with a time': answer.limited(0),
  'a reset before the answer': answer.reset('before-headers'),
  'a reset in the answer': answer.reset('mid-body', { kind: 'text', text: '' }),
  'a body that is cut': answer.malformed('body'),
  'a body of another shape': answer.malformed('shape'),
  'another type': answer.typed(),
  'no answer': answer.hang(),
  'an answer that does not end': answer.trickle({ everyMs: 40, stallAfter: 0 }),
}

export const endless: Record<string, Fault> = {
  'no answer': answer.hang(),
  'a trickle': answer.trickle({ everyMs: 150 }, words),
  'a trickle that stalls': answer.trickle({ everyMs: 50, stallAfter: 3 }, words),
  resets: answer.reset('before-headers'),
  'resets in the middle': answer.reset('mid-body', 'word '.repeat(40)),
  'wrong types': answer.typed(),
  'bodies cut short': answer.malformed('body'),
  '500s': answer.status(500),
  limits: answer.limited(1),
}

export const callWhileDown = async (server: ModelServer, fault: Fault, logical: number) => {
  server.script({ kind: 'chat' }, fault)
  const model = chatOver({ first: server })
  const calls: ProviderCall[] = []
  const errors: unknown[] = []
  const lane = async (): Promise<void> => {
    for (let n = 0; n < logical / 5; n += 1) {
      errors.push(await thrownBy(model.chat(chatRequest({ calls }))))
      await wait(5)
    }
  }
  await Promise.all([1, 2, 3, 4, 5].map(lane))
  return { sent: server.calls('chat').length, told: calls.length, errors }
}

export type Limited = { limited: Answer; time: () => number }
export const retryAfterForms: Record<'in seconds' | 'as a date', () => Limited> = {
  'in seconds': () => ({ limited: answer.limited(1), time: () => Date.now() + 1_000 }),
  'as a date': () => {
    const date = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000)
    return { limited: answer.limited(date), time: () => date.getTime() }
  },
}

export const callWhileLimited = async (
  server: ModelServer,
  { limited, time }: Limited,
  others = 4,
): Promise<{ later: readonly RecordedRequest[]; notBefore: number }> => {
  server.script({ kind: 'chat' }, limited, answer.text('Yes.'))
  const model = chatOver({ first: server, parts: { mayWaitMs: 3_000 } })
  const notBefore = time()
  const told = new EventEmitter()
  const first = model.chat(chatRequest({ onCall: () => void told.emit('call') }))
  await once(told, 'call')
  await Promise.all([first, ...Array.from({ length: others }, () => model.chat(chatRequest()))])
  return { later: server.calls('chat').slice(1), notBefore }
}

const unending = new Set([passing['no answer'], passing['an answer that does not end']])
/** Sets a short timeout only for a fault that never ends, so that a busy machine does not cut other calls. */
export const patienceWith = (fault?: Fault): Partial<Resilience> => ({
  timeoutMs: fault && unending.has(fault) ? 500 : 20_000,
  breaker: { ...resilience.breaker, failures: 100 },
})

export const auditOf = async (server: ModelServer, fault: Fault, form: Form) => {
  server.script({ kind: 'chat' }, fault)
  const calls: ProviderCall[] = []
  const error = await thrownBy(
    chatOver({ first: server, parts: patienceWith(fault) }).chat(chatRequest({ calls, ...form })),
  )
  return { error, sent: server.calls('chat').length, calls }
}

export const endOf = async (server: ModelServer, fault: Fault, form: Form, deadlineMs: number) => {
  server.script({ kind: 'chat' }, fault)
  const model = chatOver({ first: server, parts: { backoff: { baseMs: 400, capMs: 800 }, mayWaitMs: 5_000 } })
  const began = Date.now()
  const signal = AbortSignal.timeout(deadlineMs)
  const error = await thrownBy(model.chat(chatRequest({ ...form, signal })))
  const ended = Date.now()
  await wait(deadlineMs)
  // A request that was sent before the end may arrive a moment later.
  const late = server.calls('chat').filter(({ receivedAt }) => receivedAt > Math.max(ended, began + deadlineMs) + 150)
  await server.until((requests) => requests.every(({ finishedAt }) => finishedAt !== undefined))
  return { error, tookMs: ended - began, late }
}
