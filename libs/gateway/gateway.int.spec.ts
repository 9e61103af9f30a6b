import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { createGateway, type Gateway } from './index'

let redis: PrivateRedis
let gateway: Gateway
beforeAll(async () => {
  redis = await startPrivateRedis()
  gateway = await createGateway({ redisUrl: redis.url, port: 0, removePassages: () => Promise.resolve() })
})
afterAll(async () => {
  await gateway.close()
  await redis.stop()
})

test('a question is taken in and can be looked at', async () => {
  const asked = await fetch(`${gateway.url}/v1/runs`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ question: 'How heavy is Mars?' }) })
  const body = (await asked.json()) as { id: string }
  expect([asked.status, body]).toEqual([202, expect.objectContaining({ status: 'queued', question: 'How heavy is Mars?' })])
  expect(asked.headers.get('location')).toBe(`/v1/runs/${body.id}`)
  const seen = await fetch(`${gateway.url}/v1/runs/${body.id}`)
  expect(seen.status).toBe(200)
  expect((await fetch(`${gateway.url}/openapi.json`)).status).toBe(200)
  expect((await fetch(`${gateway.url}/docs/swagger-ui.css`)).status).toBe(200)
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain('plumbline_asks_total')
})
