import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answer, startModelServer, type ModelServer, type Scripted } from '@plumbline/testing/model-server'
import { asking, chatOver, forms, thrownBy } from './spec/chat'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
  // The library is loaded once per process, and that takes its time.
  await chatOver({ first: server }).chat(asking())
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const faults: Record<string, Scripted> = {
  'no answer': answer.hang(),
  'a trickle': answer.trickle({ everyMs: 150 }, 'word '.repeat(400)),
  'a trickle that stalls': answer.trickle({ everyMs: 50, stallAfter: 3 }, 'word '.repeat(400)),
  'resets': answer.reset('before-headers'),
  'resets in the middle': answer.reset('mid-body', 'word '.repeat(40)),
  'wrong types': answer.typed(),
  'bodies cut short': answer.malformed('body'),
  '500s': answer.status(500),
  'limits': answer.limited(1),
}
const deadlineMs = 600

describe.each(Object.entries(forms))('a %s call', (_, form) => {
  it.each(Object.entries(faults))('that meets %s ends with its task, and nothing is asked after', async (__, fault) => {
    server.script({ kind: 'chat' }, fault)
    const model = chatOver({ first: server, parts: { backoff: { baseMs: 400, capMs: 800 }, mayWaitMs: 5_000 } })
    const began = Date.now()
    const signal = AbortSignal.timeout(deadlineMs)
    expect(await thrownBy(model.chat(asking({ ...form, signal })))).not.toBeNull()
    expect(Date.now() - began).toBeLessThan(deadlineMs + 1_000)
    const ended = Date.now()
    await wait(deadlineMs)
    expect(server.calls('chat').filter(({ receivedAt }) => receivedAt > Math.max(ended, began + deadlineMs + 20))).toEqual([])
    await server.until((requests) => requests.every(({ finishedAt }) => finishedAt !== undefined))
  })

  it.each(Object.entries(faults).slice(0, 3))('that meets %s is given up after its own time', async (__, fault) => {
    server.script({ kind: 'chat' }, fault)
    const model = chatOver({ first: server, parts: { timeoutMs: 200, calls: 1 } })
    const began = Date.now()
    expect(await thrownBy(model.chat(asking(form)))).toMatchObject({ retry: 'later' })
    expect(Date.now() - began).toBeLessThan(1_200)
    await server.until(([only]) => only?.outcome === 'aborted')
  })
})
