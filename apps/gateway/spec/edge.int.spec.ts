import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, post, type House } from './house.spec'

const apiKeys = 'asker-of-a:a:asker'
const key = { 'x-api-key': 'asker-of-a' }
const origin = 'https://app.example.org'
let closed: House
let open: House
beforeAll(async () => {
  closed = await openHouse({ apiKeys })
  open = await openHouse({ apiKeys, corsOrigins: [origin] })
})
afterAll(() => Promise.all([closed.close(), open.close()]))

const preflight = (url: string, from: string) =>
  fetch(`${url}/v1/runs`, {
    method: 'OPTIONS',
    headers: { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
  })

describe('pages of other origins', () => {
  it('may not call the API unless their origin is named', async () => {
    expect((await preflight(closed.url, origin)).headers.get('access-control-allow-origin')).toBeNull()
    const listed = await fetch(`${closed.url}/v1/runs`, { headers: { ...key, origin } })
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  it('may where it is, with a key and without cookies', async () => {
    const asked = await preflight(open.url, origin)
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
    expect(
      (await preflight(open.url, 'https://evil.example.org')).headers.get('access-control-allow-origin'),
    ).toBeNull()
    const taken = await post(open.url, '/v1/runs', { question: 'How heavy is Mars?' }, { ...key, origin })
    expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([202, origin])
    expect(taken.headers.get('access-control-expose-headers')).toContain('Location')
    const stream = await post(
      open.url,
      '/v1/runs',
      { question: 'And?' },
      { ...key, origin, accept: 'text/event-stream' },
    )
    expect([stream.status, stream.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    await stream.body?.cancel()
    const refused = await fetch(`${open.url}/v1/runs`, { headers: { origin } })
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, origin])
  })
})

describe('every answer', () => {
  it('has the headers that keep browsers careful, and the id of its request', async () => {
    const { id } = (await (await post(closed.url, '/v1/runs', { question: 'How?' }, key)).json()) as { id: string }
    for (const path of ['/livez', '/v1/runs', '/v1/nothing', '/docs', `/v1/runs/${id}/events`]) {
      const answer = await fetch(`${closed.url}${path}`, { headers: { ...key, 'x-request-id': 'caller-7' } })
      expect(Object.fromEntries(answer.headers), path).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
        'x-request-id': 'caller-7',
      })
      await answer.body?.cancel()
    }
    const refused = await fetch(`${closed.url}/v1/runs`, { headers: { 'x-request-id': 'no id\u00e9 {}' } })
    expect([refused.status, refused.headers.get('x-request-id')]).toEqual([401, expect.stringMatching(/^[\w-]{36}$/)])
  })
})
