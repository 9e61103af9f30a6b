import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rerankerContract } from '@plumbline/ports/reranker.contract'
import type { Reranker } from '@plumbline/ports/search-models'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { terms } from '@plumbline/knowledge/text'
import { openCrossEncoder } from './cross-encoder'

const never = new AbortController().signal
type Asked = {
  path: string
  key: string | undefined
  body: { query: string; texts?: string[]; documents?: string[]; model?: string }
}
type Served = { url: string; asked: Asked[]; close: () => Promise<void> }
type Order = { index: number; score: number }[]
type Serving = {
  rank?: (documents: string[]) => Order
  /** Delays the nth request, or rejects it with the returned text. */
  meet?: (nth: number, body: Asked['body']) => Promise<string | void> | string | void
}

/** Returns how many of a text's terms are in the query. */
const shared = (query: string, text: string): number => {
  const asked = new Set(terms(query))
  return new Set(terms(text).filter((term) => asked.has(term))).size
}

/** A `/rerank` server in one of the two formats, which ranks by words. */
const serve = async (form: 'texts' | 'documents', { rank, meet = () => undefined }: Serving = {}): Promise<Served> => {
  const asked: Asked[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Asked['body']
      const nth = asked.push({ path: request.url ?? '', key: request.headers.authorization, body })
      const given = body[form]
      const answer = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      const reply = async (): Promise<void> => {
        const refused = (await meet(nth, body)) ?? (given && given.length <= 32 ? undefined : `missing field ${form}`)
        if (refused !== undefined || !given) return void answer(422, { error: refused })
        const order =
          rank?.(given) ??
          given.map((text, index) => ({ index, score: shared(body.query, text) })).sort((a, b) => b.score - a.score)
        answer(
          200,
          form === 'texts' ? order : { results: order.map(({ index, score }) => ({ index, relevance_score: score })) },
        )
      }
      void reply()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
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

rerankerContract('cross-encoder that takes texts', () => ({
  name: 'texts',
  rerank: (...question) => opened.texts!.rerank(...question),
}))
rerankerContract('cross-encoder that takes documents', () => ({
  name: 'documents',
  rerank: (...question) => opened.documents!.rerank(...question),
}))

describe('a cross-encoder by address', () => {
  it('learns the request format from the first response, and uses it from then on', async () => {
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

  it('sends the model and the key if they are set', async () => {
    await opened.documents!.rerank('roofs', ['slate'], 1, never)
    expect(documents.asked.at(-1)).toMatchObject({
      path: '/v1/rerank',
      key: 'Bearer a-key',
      body: { model: 'bge', query: 'roofs', documents: ['slate'] },
    })
  })

  it('sends at most 32 documents per request, and ranks all documents together', async () => {
    const many = Array.from({ length: 70 }, (_, at) =>
      at === 66 ? 'Slate makes good roofs.' : `Paragraph ${at} of something else.`,
    )
    const before = documents.asked.length
    expect((await opened.documents!.rerank('Which stone makes good roofs?', many, 3, never))[0]?.index).toBe(66)
    expect(documents.asked.slice(before).map(({ body }) => body.documents?.length)).toEqual([32, 32, 6])
  })

  it('learns the request form for all concurrent requests, in whatever order they are answered', async () => {
    const learnt = Promise.withResolvers<void>()
    const server = await serve('texts', {
      meet: (nth, { texts: given }) =>
        given ? void setImmediate(learnt.resolve) : nth > 1 ? learnt.promise : undefined,
    })
    const many = Array.from({ length: 40 }, (_, at) => `Paragraph ${at}`)
    expect(await openCrossEncoder({ url: server.url }).rerank('roofs', many, 40, never)).toHaveLength(40)
    await server.close()
  })

  it('does not change the request format if the server rejects a request for another reason', async () => {
    const server = await serve('documents', { meet: (nth) => (nth <= 2 ? 'the model is not there' : undefined) })
    const reranker = openCrossEncoder({ url: server.url })
    await expect(reranker.rerank('roofs', ['slate'], 1, never)).rejects.toMatchObject({
      retry: 'never',
      cause: { message: expect.stringContaining('the model is not there') as string },
    })
    expect(await reranker.rerank('roofs', ['slate'], 1, never)).toHaveLength(1)
    expect(server.asked.map(({ body }) => Object.keys(body)[1])).toEqual(['documents', 'texts', 'documents'])
    await server.close()
  })

  it('returns scores from 0 to 1, also from log odds, that are comparable between batches and calls', async () => {
    const raw = new Map([
      ['far above', 4],
      ['just above', 0.9],
      ['below', -2],
    ])
    const server = await serve('documents', {
      rank: (documents) => documents.map((document, index) => ({ index, score: raw.get(document) ?? 0 })),
    })
    const reranker = openCrossEncoder({ url: server.url })
    const [logistic, around] = [(score: number) => 1 / (1 + Math.exp(-score)), Array<string>(31).fill('even')]
    const order = await reranker.rerank('a', ['just above', ...around, 'far above', 'below'], 34, never)
    expect([order[0], order[1], order.at(-1)]).toEqual([
      { index: 32, score: logistic(4) },
      { index: 0, score: logistic(0.9) },
      { index: 33, score: logistic(-2) },
    ])
    expect(await reranker.rerank('a', ['just above'], 1, never)).toEqual([{ index: 0, score: logistic(0.9) }])
    await server.close()
  })

  it.each<[string, Order]>([
    ['leaves documents out', [{ index: 0, score: 1 }]],
    [
      'names one twice',
      [
        { index: 0, score: 1 },
        { index: 0, score: 1 },
      ],
    ],
    [
      'names one that is not there',
      [
        { index: 0, score: 1 },
        { index: 2, score: 1 },
      ],
    ],
  ])('does not take for an order what %s', async (_, order) => {
    const server = await serve('documents', { rank: () => order })
    await expect(
      openCrossEncoder({ url: server.url }, { calls: 1 }).rerank('a', ['b', 'c'], 2, never),
    ).rejects.toMatchObject({ retry: 'later', cause: { kind: 'malformed' } })
    await server.close()
  })

  it('shortens long texts without splitting a character', async () => {
    await opened.documents!.rerank(`${'q'.repeat(1_999)}🍮`, [`${'d'.repeat(15_999)}🍮`], 1, never)
    const { query, documents: [document] = [] } = documents.asked.at(-1)!.body
    expect([query.isWellFormed(), document?.isWellFormed(), query.length, document?.length]).toEqual([
      true,
      true,
      2_000,
      16_000,
    ])
  })

  it('names the host if the server cannot be reached', async () => {
    const gone = await serve('texts')
    await gone.close()
    await expect(openCrossEncoder({ url: gone.url }, { calls: 1 }).rerank('a', ['b'], 1, never)).rejects.toMatchObject({
      retry: 'later',
      cause: { message: `${new URL(gone.url).host} cannot be reached: ECONNREFUSED.` },
    })
  })
})
