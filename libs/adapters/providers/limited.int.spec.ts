import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silent, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { connectWaiting, type RedisClient } from '../redis/client/client'
import { openRedisBuckets } from '../redis/limits/buckets'
import { chatOver, chatRequest, thrownBy } from './spec/chat'
import { callWhileLimited, retryAfterForms } from './spec/measure'

let server: ModelServer
let redis: PrivateRedis
const clients: RedisClient[] = []
beforeAll(async () => {
  server = await startModelServer()
  redis = await startPrivateRedis()
  // Loads the library, which takes time once per process.
  await chatOver({ first: server }).chat(chatRequest())
})
beforeEach(() => server.reset())
afterAll(async () => {
  clients.forEach((client) => client.disconnect())
  await Promise.all([server.close(), redis.stop()])
})

describe.each(Object.entries(retryAfterForms))('Retry-After %s', (_, form) => {
  it('causes a wait if it is short, and no request is sent before its end', async () => {
    const { later, notBefore } = await callWhileLimited(server, form())
    expect(later).toHaveLength(5)
    expect(Math.min(...later.map(({ receivedAt }) => receivedAt))).toBeGreaterThanOrEqual(notBefore)
  })

  it('fails further calls without a request if it is long, and tells when to retry', async () => {
    const { limited, time } = form()
    server.script({ kind: 'chat' }, limited, answer.text('Yes.'))
    const model = chatOver({ first: server, parts: { mayWaitMs: 50 } })
    const earliest = time()
    const errors = [
      await thrownBy(model.chat(chatRequest())),
      await thrownBy(model.chat(chatRequest())),
      await thrownBy(model.chat(chatRequest())),
    ]
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'provider.limited', retry: 'later' })
      expect((error as { notBefore: number }).notBefore).toBeGreaterThanOrEqual(earliest)
    }
    expect(server.calls('chat')).toHaveLength(1)
    await expect.poll(() => thrownBy(model.chat(chatRequest())), { interval: 50 }).toBeNull()
    expect(server.calls('chat')[1]!.receivedAt).toBeGreaterThanOrEqual((errors[0] as { notBefore: number }).notBefore)
  })

  it('applies to every replica', async () => {
    const { limited } = form()
    server.script({ kind: 'chat' }, limited, answer.text('Yes.'))
    const replica = () => {
      const client = connectWaiting(redis.url)
      clients.push(client)
      return chatOver({
        first: server,
        parts: { mayWaitMs: 50, buckets: openRedisBuckets({ redis: client, log: silent }) },
      })
    }
    const [one, two] = [replica(), replica()]
    expect(await thrownBy(one.chat(chatRequest()))).toMatchObject({ code: 'provider.limited' })
    expect(await thrownBy(two.chat(chatRequest()))).toMatchObject({ code: 'provider.limited', retry: 'later' })
    expect(server.calls('chat')).toHaveLength(1)
  })
})

describe('a limit', () => {
  it('of the account is not retried at once', async () => {
    server.script(
      { kind: 'chat' },
      answer.status(429, {}, { code: 'insufficient_quota', message: 'You exceeded your current quota.' }),
    )
    const error = await thrownBy(chatOver({ first: server }).chat(chatRequest()))
    expect(error).toMatchObject({ code: 'provider.limited', retry: 'later' })
    expect((error as { notBefore: number }).notBefore).toBeGreaterThan(Date.now() + 50_000)
    expect(server.calls('chat')).toHaveLength(1)
  })

  it('stops a wait when the signal aborts', async () => {
    server.script({ kind: 'chat' }, answer.limited(30))
    const model = chatOver({ first: server, parts: { mayWaitMs: 60_000 } })
    const stop = new AbortController()
    const asked = thrownBy(model.chat(chatRequest({ signal: stop.signal })))
    await server.until((requests) => requests[0]?.outcome === 'answered')
    stop.abort(new Error('stop'))
    expect(await asked).toMatchObject({ message: 'stop' })
    expect(server.calls('chat')).toHaveLength(1)
  })
})
