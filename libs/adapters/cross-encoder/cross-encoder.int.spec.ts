import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rerankerContract } from '@plumbline/ports/reranker/reranker.contract'
import type { Reranker } from '@plumbline/ports/reranker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lexicalReranker } from '../offline'
import { openCrossEncoder } from './index'

const never = new AbortController().signal
type Asked = { path: string; key: string | undefined; body: { query: string; texts?: string[]; documents?: string[]; model?: string } }
type Served = { url: string; asked: Asked[]; close: () => Promise<void> }

/** A `/rerank` server of one of the two forms, which ranks by words. */
const serve = async (form: 'texts' | 'documents', score: (value: number) => number = (value) => Math.min(1, value)): Promise<Served> => {
  const asked: Asked[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Asked['body']
      asked.push({ path: request.url ?? '', key: request.headers.authorization, body })
      const given = body[form]
      const answer = (status: number, value: unknown) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      if (!given || given.length > 32) return void answer(422, { error: `missing field ${form}` })
      void lexicalReranker.rerank(body.query, given, given.length, never).then((order) =>
        answer(200, form === 'texts' ? order.map((one) => ({ ...one, score: score(one.score) })) : { results: order.map((one) => ({ index: one.index, relevance_score: score(one.score) })) }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, close: () => new Promise((resolve) => void server.close(() => resolve())) }
}

let texts: Served
let documents: Served
const opened: { texts?: Reranker; documents?: Reranker } = {}
beforeAll(async () => {
  texts = await serve('texts')
  documents = await serve('documents')
  opened.texts = openCrossEncoder({ url: texts.url })
  opened.documents = openCrossEncoder({ url: `${documents.url}/v1/rerank`, apiKey: 'a-key', model: 'bge' })
})
afterAll(() => Promise.all([texts.close(), documents.close()]))

rerankerContract('cross-encoder that takes texts', () => ({ name: 'texts', rerank: (...question) => opened.texts!.rerank(...question) }))
rerankerContract('cross-encoder that takes documents', () => ({ name: 'documents', rerank: (...question) => opened.documents!.rerank(...question) }))

describe('a cross-encoder by address', () => {
  it('learns from the first answer what its server takes, and asks so from then on', async () => {
    const server = await serve('texts')
    const reranker = openCrossEncoder({ url: `${server.url}/` })
    await reranker.rerank('roofs', ['slate', 'amber'], 2, never)
    await reranker.rerank('roofs', ['slate', 'amber'], 2, never)
    expect(server.asked.map(({ path, body }) => [path, Object.keys(body).sort().join()])).toEqual([
      ['/rerank', 'documents,query,top_n'],
      ['/rerank', 'query,texts,truncate'],
      ['/rerank', 'query,texts,truncate'],
    ])
    await server.close()
  })

  it('names its model and its key where it has them', async () => {
    await opened.documents!.rerank('roofs', ['slate'], 1, never)
    expect(documents.asked.at(-1)).toMatchObject({ path: '/v1/rerank', key: 'Bearer a-key', body: { model: 'bge', query: 'roofs', documents: ['slate'] } })
  })

  it('sends no more at once than servers take, and ranks over all of it', async () => {
    const many = Array.from({ length: 70 }, (_, at) => (at === 66 ? 'Slate makes good roofs.' : `Paragraph ${at} of something else.`))
    const before = documents.asked.length
    expect((await opened.documents!.rerank('Which stone makes good roofs?', many, 3, never))[0]?.index).toBe(66)
    expect(documents.asked.slice(before).map(({ body }) => body.documents?.length)).toEqual([32, 32, 6])
  })

  it('gives scores from 0 to 1, from raw ones too', async () => {
    const server = await serve('documents', (value) => value * 10 - 5)
    const order = await openCrossEncoder({ url: server.url }).rerank('roofs of slate', ['roofs of slate', 'Mars'], 2, never)
    expect(order.every(({ score }) => score >= 0 && score <= 1)).toBe(true)
    expect(order[0]!.score).toBeGreaterThan(0.5)
    expect(order[1]!.score).toBeLessThan(0.5)
    await server.close()
  })

  it('says which setting to look at when there is no such server', async () => {
    const gone = await serve('texts')
    await gone.close()
    const error: unknown = await openCrossEncoder({ url: gone.url }, { calls: 1 }).rerank('a', ['b'], 1, never).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ retry: 'later' })
  })
})
