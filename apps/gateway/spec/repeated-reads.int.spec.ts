import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, post, toAnswer, type House } from './house.spec'

let house: House
let run = ''
let document = ''
const by = (tenant: string) => ({ authorization: `Bearer key-of-${tenant}` })
beforeAll(async () => {
  house = await openHouse({
    apiKeys: 'key-of-mars:mars:asker+admin+reviewer,key-of-venus:venus:asker+admin',
    corsOrigins: ['https://pages.example.org'],
  })
  const asked = await post(house.url, '/v1/runs', { question: 'How heavy is Mars?' }, by('mars'))
  run = ((await asked.json()) as { id: string }).id
  await house.report(run, ...toAnswer(`Mars weighs 6.4e23 kg [1].${' It does.'.repeat(400)}`))
  const added = await post(house.url, '/v1/documents', { title: 'Mars', text: 'Red.' }, by('mars'))
  document = ((await added.json()) as { id: string }).id
})
afterAll(() => house.close())

/** Returns the raw response. Unlike `fetch`, this request does not decompress the body. */
const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const call = request(`${house.url}${path}`, { method, headers: { ...by('mars'), ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    call.on('error', reject).end()
  })
const tagOf = ({ headers }: { headers: Record<string, unknown> }): string => String(headers['etag'])
const zipped = { 'accept-encoding': 'br;q=1.0, gzip;q=0.8' }

describe('repeated reads', () => {
  it.each([
    ['a run that ended', () => `/v1/runs/${run}`],
    ['its ledger', () => `/v1/runs/${run}/ledger`],
    ['a document', () => `/v1/documents/${document}`],
    ['a list', () => '/v1/runs'],
    ['the description', () => '/openapi.json'],
  ])('%s is answered 304 to a client that has it, and is cached by nobody else', async (_, path) => {
    const first = await read(path())
    expect(first).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'private, no-cache', vary: 'Origin, accept-encoding' },
    })
    for (const tag of [tagOf(first), `"other", ${tagOf(first)}`, tagOf(first).replace('W/', ''), '*']) {
      const again = await read(path(), { 'if-none-match': tag, ...zipped })
      expect([again.status, again.body.length, tagOf(again)]).toEqual([304, 0, tagOf(first)])
      expect(again.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Origin, accept-encoding' })
      expect(again.headers).not.toHaveProperty('content-type')
      expect(again.headers).not.toHaveProperty('content-encoding')
    }
    expect((await read(path(), { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('has another tag once it has changed', async () => {
    const asked = await post(house.url, '/v1/runs', { question: 'How far is Mars?' }, by('mars'))
    const { id } = (await asked.json()) as { id: string }
    const queued = await read(`/v1/runs/${id}`)
    await house.report(id, ...toAnswer())
    const after = await read(`/v1/runs/${id}`, { 'if-none-match': tagOf(queued) })
    expect(after.status).toBe(200)
    expect(after.body.toString()).toContain('6.4e23')
  })

  it('is not told to another tenant by its tag', async () => {
    const tag = tagOf(await read(`/v1/runs/${run}`))
    const other = await read(`/v1/runs/${run}`, { ...by('venus'), 'if-none-match': tag })
    expect(other.status).toBe(404)
    expect(other.headers).toMatchObject({ 'cache-control': 'private, no-cache' })
    expect(other.headers).not.toHaveProperty('etag')
  })
})

describe('a long answer', () => {
  it('is compressed for clients that accept gzip, under the same tag, and unchanged for others', async () => {
    const plain = await read(`/v1/runs/${run}`)
    const packed = await read(`/v1/runs/${run}`, zipped)
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: tagOf(plain) })
    expect(packed.headers['content-type']).toBe(plain.headers['content-type'])
    expect(Number(packed.headers['content-length'])).toBe(packed.body.length)
    expect(packed.body.length).toBeLessThan(plain.body.length / 2)
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    for (const codings of ['identity', 'gzip;q=0', 'br', 'gzip; q=0.000, deflate']) {
      const as = await read(`/v1/runs/${run}`, { 'accept-encoding': codings })
      expect([as.headers['content-encoding'], as.body.length]).toEqual([undefined, plain.body.length])
    }
  })

  it('that is sent line by line is compressed while it is sent', async () => {
    const packed = await read('/v1/audit/export', zipped)
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/x-ndjson' })
    const plain = await read('/v1/audit/export')
    expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString())
  })

  it('is left alone where it is short, a stream of events, or an ask', async () => {
    expect((await read('/v1/me', zipped)).headers).not.toHaveProperty('content-encoding')
    const events = await read(`/v1/runs/${run}/events`, zipped)
    expect(events.headers).not.toHaveProperty('content-encoding')
    expect(events.headers).not.toHaveProperty('etag')
    expect(events.body.toString()).toContain('event: ended')
    const ask = await post(
      house.url,
      '/v1/runs',
      { question: `Why? ${'Why? '.repeat(500)}` },
      { ...by('mars'), ...zipped },
    )
    expect([ask.status, ask.headers.get('content-encoding'), ask.headers.get('etag')]).toEqual([202, null, null])
  })
})
