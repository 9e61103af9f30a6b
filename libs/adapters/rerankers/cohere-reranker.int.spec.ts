import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rerankerContract } from '@plumbline/ports/reranker.contract'
import type { Reranker } from '@plumbline/ports/search-models'
import { answer } from '@plumbline/testing/model-server/answer'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { openCohereReranker } from './cohere-reranker'

const never = new AbortController().signal
let server: ModelServer
let reranker: Reranker
beforeAll(async () => {
  server = await startModelServer()
  reranker = openCohereReranker({ apiKey: 'a-key', baseUrl: server.url, model: 'rerank-v3.5' })
})
beforeEach(() => server.reset())
afterAll(() => server.close())

rerankerContract('cohere', () => ({
  name: 'cohere',
  rerank: (...question) => reranker.rerank(...question),
}))

describe('the reranker of Cohere', () => {
  it('sends one request to version 2 of the API, with the model and the number of results', async () => {
    await reranker.rerank('roofs', ['slate', 'amber', 'mars'], 2, never)
    expect(server.calls('rerank').map(({ path, body, authorized }) => ({ path, body, authorized }))).toEqual([
      {
        path: '/v2/rerank',
        body: { model: 'rerank-v3.5', query: 'roofs', documents: ['slate', 'amber', 'mars'], top_n: 2 },
        authorized: true,
      },
    ])
    expect(server.faults).toEqual([])
  })

  it('rejects a ranking of documents that were not sent', async () => {
    server.script({ kind: 'rerank' }, answer.json({ id: '1', results: [{ index: 9, relevance_score: 1 }] }))
    await expect(reranker.rerank('roofs', ['slate'], 1, never)).rejects.toMatchObject({
      code: 'provider.down',
      retry: 'later',
    })
    expect(server.calls('rerank')).toHaveLength(3)
  })

  it('names the setting to check', async () => {
    server.script({ kind: 'rerank' }, answer.status(401))
    const error: unknown = await reranker.rerank('roofs', ['slate'], 1, never).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'provider.rejected',
      retry: 'never',
      cause: { message: expect.stringContaining('COHERE_API_KEY') },
    })
    expect(server.calls('rerank')).toHaveLength(1)
  })
})
