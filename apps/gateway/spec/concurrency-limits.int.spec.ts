import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { bounds } from '@plumbline/gateway/settings'
import { onceOnly, openHouse, post, toPark, withPolicy, type House } from './house.spec'

const question = 'How heavy is Mars?'
const keyOf = { big: 'key-of-big', small: 'key-of-small' }
type Tenant = keyof typeof keyOf

const kept = { ...bounds }
let house: House
withPolicy('once-only', onceOnly)
beforeAll(async () => {
  Object.assign(bounds, { streams: 8, waiting: 200, sendMs: 6_000 })
  house = await openHouse({ apiKeys: `${keyOf.big}:big:asker+admin, ${keyOf.small}:small:asker+admin` })
})
afterAll(async () => {
  await house.close()
  Object.assign(bounds, kept)
})

const by = (tenant: Tenant) => ({ authorization: `Bearer ${keyOf[tenant]}` })
const client = (tenant: Tenant) => createClient({ url: house.url, key: keyOf[tenant] })
const told = async (response: Response) => {
  const { type = '' } = (await response.json()) as { type?: string }
  return {
    status: response.status,
    type: type.split(':').at(-1),
    after: Number(response.headers.get('retry-after') ?? 0),
  }
}
const upload = (tenant: Tenant): Promise<Response> => {
  const body = new FormData()
  body.append('file', new Blob(['A note.']), 'note.txt')
  return fetch(`${house.url}/v1/documents`, { method: 'POST', headers: by(tenant), body })
}

describe('one tenant that fills a gateway', () => {
  const opened: ClientRequest[] = []
  let agent: Agent
  beforeEach(() => void (agent = new Agent({ maxSockets: Infinity })))
  afterEach(() => {
    for (const call of opened.splice(0)) call.destroy()
    agent.destroy()
  })
  /** Opens a request. `answered` resolves to the response headers, or to null if the gateway closes the connection. */
  const open = (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string>,
  ): ClientRequest & { answered: Promise<IncomingMessage | null> } => {
    const call = request(`${house.url}${path}`, { method, agent, headers: { ...by('big'), ...headers } })
    opened.push(call)
    const answered = new Promise<IncomingMessage | null>((resolve) => {
      call.on('response', (response) => resolve(response.resume().on('error', () => undefined)))
      call.on('error', () => resolve(null))
    })
    return Object.assign(call, { answered })
  }
  const statuses = async (calls: { answered: Promise<IncomingMessage | null> }[]) =>
    (await Promise.all(calls.map(({ answered }) => answered))).map((answer) => answer?.statusCode)

  it('with uploads that trickle in leaves half of them to others, and loses its own in time', async () => {
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n'
    const slow = Array.from({ length: 40 }, () => {
      const call = open('POST', '/v1/documents', {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '2000',
      })
      call.write(head)
      return call
    })
    const refused = new Set<unknown>()
    for (const call of slow) void call.answered.then((answer) => answer && refused.add(answer.statusCode).add(call))
    await expect.poll(() => refused.size).toBe(1 + 40 - bounds.uploads / 2)
    expect([...refused][0]).toBe(429)

    expect(await told(await upload('small'))).toMatchObject({ status: 202 })
    const { after, ...own } = await told(await upload('big'))
    expect(own).toEqual({ status: 429, type: 'tenant-limit' })
    expect(after).toBeGreaterThanOrEqual(1)
    expect(after).toBeLessThanOrEqual(bounds.sendMs / 1_000)

    expect((await statuses(slow)).filter((status) => status === undefined)).toHaveLength(bounds.uploads / 2)
    expect((await upload('big')).status).toBeLessThan(203)
  })

  it('with asks that wait for one run leaves half of them to others, and has its own back when the run is held', async () => {
    const { id } = await client('big').ask({ question, policy: 'once-only' }, { idempotencyKey: 'one' })
    const body = JSON.stringify({ question, policy: 'once-only' })
    const asking = Array.from({ length: bounds.waiting + 10 }, () => {
      const call = open('POST', '/v1/runs', {
        'content-type': 'application/json',
        'idempotency-key': 'one',
        prefer: 'wait=60',
      })
      call.end(body)
      return call
    })
    let refused = 0
    for (const { answered } of asking) void answered.then((answer) => (refused += answer?.statusCode === 429 ? 1 : 0))
    await expect.poll(() => refused).toBe(bounds.waiting / 2 + 10)

    const ask = (tenant: Tenant, wait: number) =>
      post(house.url, '/v1/runs', { question }, { ...by(tenant), prefer: `wait=${wait}` }).then(told)
    expect(await ask('small', 1)).toMatchObject({ status: 202 })
    const { after, ...own } = await ask('big', 1)
    expect(own).toEqual({ status: 429, type: 'tenant-limit' })
    expect(after).toBeGreaterThan(30)
    expect(after).toBeLessThanOrEqual(60)

    await house.report(id, ...toPark())
    expect((await statuses(asking)).filter((status) => status === 202)).toHaveLength(bounds.waiting / 2)
    expect(await ask('big', 1)).toMatchObject({ status: 202 })
  })

  it('with waiting tool calls leaves half of the places to others', async () => {
    const calling = (tenant: Tenant, waitSeconds: number) => {
      const params = { name: 'ask', arguments: { question, waitSeconds } }
      const headers = { ...by(tenant), accept: 'application/json, text/event-stream' }
      return post(house.url, '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
    }
    const waitLong = (): void => {
      const call = open('POST', '/v1/runs', { 'content-type': 'application/json', prefer: 'wait=60' })
      call.end(JSON.stringify({ question }))
    }
    for (let i = 0; i < bounds.waiting / 2; i += 1) waitLong()
    // Open more waiting requests in each poll, because some of the first ones may have been refused or have failed.
    const askedAgain = async (): Promise<string> => {
      for (let i = 0; i < 10; i += 1) waitLong()
      return (await calling('big', 0)).text()
    }
    await expect.poll(askedAgain).toMatch(/limit of 100 open requests with Prefer: wait/)
    expect(await (await calling('small', 0)).text()).toContain('not ready yet')
  })

  it('with streams leaves half of them to others', async () => {
    const { id } = await client('big').ask({ question })
    const streams = Array.from({ length: bounds.streams }, () => {
      const call = open('GET', `/v1/runs/${id}/events`, {})
      call.end()
      return call
    })
    const half = Array.from({ length: bounds.streams / 2 }, () => undefined)
    expect((await statuses(streams)).toSorted()).toEqual([...half.map(() => 200), ...half.map(() => 429)])

    const watch = async (tenant: Tenant, runId: string) => {
      const gone = new AbortController()
      const response = await fetch(`${house.url}/v1/runs/${runId}/events`, { headers: by(tenant), signal: gone.signal })
      const { status } = response
      const heard = status === 200 ? { status, after: 0 } : await told(response)
      gone.abort()
      return heard
    }
    const other = await client('small').ask({ question })
    expect(await watch('small', other.id)).toMatchObject({ status: 200 })
    expect(await watch('big', id)).toEqual({ status: 429, type: 'tenant-limit', after: 60 })
    // If no more streams are allowed, a streamed completion is refused before a run is created.
    const body = { model: 'standard', stream: true, messages: [{ role: 'user', content: question }] }
    const runsBefore = (await client('big').runs({ limit: 100 })).items.length
    const completion = await post(house.url, '/v1/chat/completions', body, by('big'))
    expect([completion.status, await completion.json()]).toMatchObject([
      429,
      { error: { code: 'rate_limit_exceeded' } },
    ])
    expect((await client('big').runs({ limit: 100 })).items.length).toBe(runsBefore)
    const answers = await Promise.all(streams.map(({ answered }) => answered))
    streams.find((_, at) => answers[at]?.statusCode === 200)?.destroy()
    await expect.poll(() => watch('big', id)).toMatchObject({ status: 200 })
  })
})
