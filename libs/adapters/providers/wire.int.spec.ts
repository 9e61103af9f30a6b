import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openWire } from './wire'

const asked = Promise.withResolvers<ServerResponse>()
const server = createServer((_, response) => asked.resolve(response))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  vi.useRealTimers()
  server.close()
})

it('waits for a response as long as its signal allows, even for more than five minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const wire = openWire({
    host: 'slow',
    settings: { key: 'KEY', url: 'URL', model: 'MODEL' },
    signal: new AbortController().signal,
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answered = wire.fetch(url, { method: 'POST', body: '{}' }).then(
    (response) => response.json(),
    (error: unknown) => error,
  )
  const response = await asked.promise
  await vi.advanceTimersByTimeAsync(900_000)
  response.setHeader('content-type', 'application/json')
  response.end('{"said":"late"}')
  expect(await answered).toEqual({ said: 'late' })
})
