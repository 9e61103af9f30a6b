import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, post, toAnswer, type House } from './house.spec'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const timed = async (call: () => Promise<Response>) => {
  const began = performance.now()
  const response = await call()
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    type: response.headers.get('content-type'),
    ms: performance.now() - began,
  }
}
const question = 'How heavy is Mars?'
const away = { status: 503, retryAfter: expect.stringMatching(/^\d+$/) as string, type: 'application/problem+json' }
const ready = () => fetch(`${house.url}/readyz`).then(({ status }) => status)

describe.each([
  ['killed', () => house.server.kill(), () => house.server.start()],
  [
    'stopped in its tracks',
    () => Promise.resolve(void process.kill(house.server.pid, 'SIGSTOP')),
    () => Promise.resolve(void process.kill(house.server.pid, 'SIGCONT')),
  ],
])('while Redis is %s', (_, lose, restore) => {
  it('all requests get 503 within a second, nothing accepted is lost, and service resumes by itself', async () => {
    const accepted = await Promise.all(Array.from({ length: 20 }, () => house.client.ask({ question })))
    await lose()
    const calls = [
      () => post(house.url, '/v1/runs', { question }),
      () => post(house.url, '/v1/runs', { question }, { prefer: 'wait=5' }),
      () => fetch(`${house.url}/v1/runs/${accepted[0]?.id}`),
      () => fetch(`${house.url}/v1/runs/${accepted[0]?.id}/events`),
      () => fetch(`${house.url}/v1/reviews`),
      () => post(house.url, '/v1/documents', { title: 'Mars', text: 'Red.' }),
      () => fetch(`${house.url}/readyz`),
    ]
    try {
      for (const answer of await Promise.all(calls.map(timed))) {
        expect(answer).toMatchObject(away)
        expect(answer.ms).toBeLessThan(3_000)
      }
      expect((await fetch(`${house.url}/livez`)).status).toBe(200)
      expect((await fetch(`${house.url}/metrics`)).status).toBe(200)
    } finally {
      await restore()
    }
    await expect.poll(ready).toBe(200)
    await expect.poll(() => house.redis.ping().catch(() => '')).toBe('PONG')
    for (const { id } of accepted) expect((await house.client.run(id)).status).toBe('queued')
    const { id } = await house.client.ask({ question })
    await house.report(id, ...toAnswer())
    expect((await house.client.run(id)).status).toBe('answered')
  })
})

describe('a Redis that is full', () => {
  it('refuses asks with 503 and takes them again when there is room', async () => {
    const { used } = await house.redis
      .info('memory')
      .then((text) => ({ used: Number(/used_memory:(\d+)/.exec(text)?.[1]) }))
    await house.redis.config('SET', 'maxmemory', `${Math.floor(used / 2)}`)
    expect(await timed(() => post(house.url, '/v1/runs', { question }))).toMatchObject(away)
    await house.redis.config('SET', 'maxmemory', '0')
    expect((await post(house.url, '/v1/runs', { question })).status).toBe(202)
  })
})
