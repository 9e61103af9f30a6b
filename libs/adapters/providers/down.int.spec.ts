import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '@plumbline/platform'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { chatOver, chatRequest, thrownBy } from './spec/chat'
import { callWhileDown, downs } from './spec/measure'

let server: ModelServer
beforeAll(async () => void (server = await startModelServer()))
beforeEach(() => server.reset())
afterAll(() => server.close())

const logical = 100

describe('while a provider is down', () => {
  it.each(Object.entries(downs))('that %s, retries add at most 20 % to the calls', async (_, fault) => {
    const { sent, told, errors } = await callWhileDown(server, fault, logical)
    expect(errors).toHaveLength(logical)
    for (const error of errors) expect(error).toMatchObject({ retry: 'later' })
    expect(sent).toBeLessThanOrEqual(logical * 1.2)
    expect(sent).toBeLessThan(20)
    expect(told).toBe(sent)
  })

  it('many concurrent calls are not all retried', async () => {
    server.script({ kind: 'chat' }, answer.status(500))
    const model = chatOver({ first: server })
    await Promise.all(Array.from({ length: 300 }, () => thrownBy(model.chat(chatRequest()))))
    expect(server.calls('chat').length).toBeLessThanOrEqual(300 * 1.2)
  })

  it('without a listener, says when to retry', async () => {
    const model = chatOver({
      first: `http://127.0.0.1:${await freePort()}/v1`,
      parts: { breaker: { failures: 2, restMs: 5_000, longestRestMs: 60_000 } },
    })
    await thrownBy(model.chat(chatRequest()))
    const before = Date.now()
    const error = await thrownBy(model.chat(chatRequest()))
    expect(error).toMatchObject({ code: 'provider.down', retry: 'later' })
    expect((error as { notBefore: number }).notBefore).toBeGreaterThan(before + 3_000)
  })

  it('one probe finds that the provider is back, and then all calls are allowed', async () => {
    const model = chatOver({ first: server, parts: { breaker: { failures: 3, restMs: 100, longestRestMs: 200 } } })
    server.script(
      { kind: 'chat' },
      answer.status(500),
      answer.status(500),
      answer.status(500),
      answer.status(500),
      answer.text('Yes.'),
    )
    await thrownBy(model.chat(chatRequest()))
    await expect.poll(() => thrownBy(model.chat(chatRequest())), { interval: 20 }).toBeNull()
    expect(server.calls('chat')).toHaveLength(5)
    expect(await Promise.all([1, 2, 3].map(() => model.chat(chatRequest())))).toHaveLength(3)
    expect(server.calls('chat').every(({ concurrency }, n) => n >= 5 || concurrency === 1)).toBe(true)
  })
})
