import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server'
import { asking, chatOver, forms, thrownBy } from './spec/chat'
import { endless, endOf } from './spec/measure'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
  // The library is loaded once per process, and that takes its time.
  await chatOver({ first: server }).chat(asking())
})
beforeEach(() => server.reset())
afterAll(() => server.close())

const deadlineMs = 600

describe.each(Object.entries(forms))('a %s call', (_, form) => {
  it.each(Object.entries(endless))('that meets %s ends with its task, and nothing is asked after', async (__, fault) => {
    const { error, tookMs, late } = await endOf(server, fault, form, deadlineMs)
    expect(error).not.toBeNull()
    expect(tookMs).toBeLessThan(deadlineMs + 1_000)
    expect(late).toEqual([])
  })

  it.each(Object.entries(endless).slice(0, 3))('that meets %s is given up after its own time', async (__, fault) => {
    server.script({ kind: 'chat' }, fault)
    const model = chatOver({ first: server, parts: { timeoutMs: 200, calls: 1 } })
    const began = Date.now()
    expect(await thrownBy(model.chat(asking(form)))).toMatchObject({ retry: 'later' })
    expect(Date.now() - began).toBeLessThan(1_200)
    await server.until(([only]) => only?.outcome === 'aborted')
  })
})
