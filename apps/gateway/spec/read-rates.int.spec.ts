import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Gateway } from '@plumbline/gateway'
import { openBeside, openHouse, post, type House } from './house.spec'

const tenants = ['quick', 'slow', 'found', 'streamed', 'listed']
const options = {
  apiKeys: [...tenants.map((tenant) => `key-of-${tenant}:${tenant}:asker+admin`), 'key-of-all:ops:operator'].join(','),
  tenantReadsPerMinute: { quick: 600, slow: 60, found: 3, streamed: 3 },
  keyReadsPerMinute: 40,
}
const question = { question: 'How heavy is Mars?' }

let house: House
let other: Gateway
beforeAll(async () => {
  house = await openHouse(options)
  other = await openBeside(house, options)
})
afterAll(async () => {
  await other.close()
  await house.close()
})

const keyed = (tenant: string) => ({ 'x-api-key': `key-of-${tenant}` })
const read = (tenant: string, path = '/v1/runs', url = house.url) => fetch(`${url}${path}`, { headers: keyed(tenant) })
const statusesOf = (answers: Response[]): number[] => answers.map(({ status }) => status)
/** Reads until the quota is used up, and returns the refusal. */
const readTooOften = async (tenant: string): Promise<Response> => {
  for (let n = 0; n < 80; n += 1) {
    const answer = await read(tenant)
    if (answer.status === 429) return answer
  }
  throw new Error('no read was refused')
}

describe('how often a tenant and a key may read', () => {
  it('is counted over two gateways together, and a refusal says when to read again', async () => {
    const since = Date.now()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => read('quick', '/v1/runs', n % 2 ? house.url : other.url)),
    )
    const admitted = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect(admitted.length + refused.length).toBe(100)
    // A gateway may reserve part of the quota and not use it. One more read is allowed every 1.5 s.
    expect(admitted.length).toBeLessThanOrEqual(40 + Math.ceil((Date.now() - since) / 1_500))
    expect(admitted.length).toBeGreaterThanOrEqual(36)
    const policy = '"tenant-reads";q=600;w=60, "key-reads";q=40;w=60'
    for (const answer of answers) expect(answer.headers.get('ratelimit-policy')).toBe(policy)
    const [first] = refused
    expect(await first?.json()).toMatchObject({ type: 'urn:plumbline:problem:too-many-reads', status: 429 })
    expect(first?.headers.get('retry-after')).toMatch(/^[12]$/)
    expect(first?.headers.get('ratelimit')).toMatch(/^"tenant-reads";r=5\d\d;t=\d+, "key-reads";r=0;t=\d+$/)
  })

  it('leaves asks free, and a read is admitted again at the named time', async () => {
    const refused = await readTooOften('slow')
    expect((await post(house.url, '/v1/runs', question, keyed('slow'))).status).toBe(202)
    await wait(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await read('slow')).status).toBe(200)
  })

  it('counts a search of documents, over HTTP and MCP', async () => {
    const search = () => post(house.url, '/v1/search', { query: 'Mars' }, keyed('found'))
    const answers = [await search(), await search(), await search(), await search()]
    expect(statusesOf(answers)).toEqual([200, 200, 200, 429])
    const call = { name: 'search_passages', arguments: { query: 'Mars' } }
    const asked = await post(
      house.url,
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      { ...keyed('found'), accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    )
    expect(await asked.text()).toContain('sends too many read requests per minute')
  })

  it('counts no event stream, health, metrics or page', async () => {
    const asked = await post(house.url, '/v1/runs', question, keyed('streamed'))
    const { id } = (await asked.json()) as { id: string }
    await readTooOften('streamed')
    for (const path of ['/livez', '/readyz', '/openapi.json', `/v1/runs/${id}/events`]) {
      const answer = await read('streamed', path)
      await answer.body?.cancel()
      expect([path, answer.status]).toEqual([path, 200])
    }
    for (let n = 0; n < 45; n += 1) expect((await read('all', '/metrics')).status).toBe(200)
  })

  it('is generous where callers are known and nothing is set, and not limited without keys', async () => {
    const usual = await openBeside(house, { apiKeys: options.apiKeys })
    const local = await openBeside(house, {})
    onTestFinished(async () => {
      await usual.close()
      await local.close()
    })
    const listed = await read('listed', '/v1/runs', usual.url)
    expect(listed.headers.get('ratelimit-policy')).toBe('"tenant-reads";q=60000;w=60')
    const open = await fetch(`${local.url}/v1/runs`)
    expect([open.status, open.headers.get('ratelimit-policy')]).toEqual([200, null])
  })
})
