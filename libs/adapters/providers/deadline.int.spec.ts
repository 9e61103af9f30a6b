import { beforeAll, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { chatOver, chatRequest, forms, thrownBy } from './spec/chat'
import { endless, endOf } from './spec/measure'

/** Each call has its own server, so that many calls can time out in parallel. */
const onServer = async (work: (server: ModelServer) => Promise<void>): Promise<void> => {
  const server = await startModelServer({ validate: false })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

// Loads the library, which takes time once per process.
beforeAll(() => onServer(async (server) => void (await chatOver({ first: server }).chat(chatRequest()))))

const deadlineMs = 600

describe.concurrent.each(Object.entries(forms))('a %s call', (_, form) => {
  it.each(Object.entries(endless))('that meets %s ends with its task, and sends no request afterwards', (__, fault) =>
    onServer(async (server) => {
      const { error, tookMs, late } = await endOf(server, fault, form, deadlineMs)
      expect(error).not.toBeNull()
      expect(tookMs).toBeLessThan(deadlineMs + 10_000)
      expect(late).toEqual([])
    }),
  )

  it.each(Object.entries(endless).slice(0, 3))('that meets %s ends at its own timeout', (__, fault) =>
    onServer(async (server) => {
      server.script({ kind: 'chat' }, fault)
      const model = chatOver({ first: server, parts: { timeoutMs: 1_000, calls: 1 } })
      const began = Date.now()
      expect(await thrownBy(model.chat(chatRequest(form)))).toMatchObject({ retry: 'later' })
      expect(Date.now() - began).toBeLessThan(10_000)
      await server.until(([only]) => only?.outcome === 'aborted')
    }),
  )
})
