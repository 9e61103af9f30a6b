import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WebSearch } from '@plumbline/ports/web-search'
import { openSearxngSearch } from '../web/searxng-search'
import { resilientWebSearch } from './resilient-ports'
import { thrownBy } from './spec/chat'

const never = new AbortController().signal
let server: Server
let search: WebSearch
let asked: number
let ranges: (string | null)[]
let answers: { status: number; headers?: Record<string, string> }[]
beforeEach(async () => {
  asked = 0
  ranges = []
  answers = []
  server = createServer((request, response) => {
    asked += 1
    ranges.push(new URL(request.url ?? '/', 'http://here').searchParams.get('time_range'))
    const { status, headers } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(
      JSON.stringify({ results: [{ title: 'Slate', url: 'https://stones.example/slate', content: 'Slate splits.' }] }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  search = resilientWebSearch(
    openSearxngSearch({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    { backoff: { baseMs: 5, capMs: 10 } },
  )
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

describe('a web search behind the layer', () => {
  it('returns the results of the provider', async () =>
    expect(await search.search('slate', 3, never)).toMatchObject([{ url: 'https://stones.example/slate' }]))

  it('passes on how recent pages must be', async () => {
    await search.search('slate', 3, never, 'month')
    expect(ranges).toEqual(['month'])
  })

  it('is asked again after a fault, three times at most', async () => {
    answers = [{ status: 503 }, { status: 200 }]
    expect(await search.search('slate', 3, never)).toHaveLength(1)
    answers = [{ status: 500 }]
    expect(await thrownBy(search.search('slate', 3, never))).toMatchObject({ code: 'provider.down', retry: 'later' })
    expect(asked).toBe(5)
  })

  it('is not called before the time in Retry-After', async () => {
    answers = [{ status: 429, headers: { 'retry-after': '20' } }]
    const errors = [await thrownBy(search.search('slate', 3, never)), await thrownBy(search.search('amber', 3, never))]
    for (const error of errors)
      expect(error).toMatchObject({ code: 'provider.limited', retry: 'later', notBefore: expect.any(Number) })
    expect(asked).toBe(1)
  })

  it('is not asked again after it rejected a request', async () => {
    answers = [{ status: 401 }]
    expect(await thrownBy(search.search('slate', 3, never))).toMatchObject({
      code: 'provider.rejected',
      retry: 'never',
      cause: { cause: { code: 'web-search.not-allowed' } },
    })
    expect(asked).toBe(1)
  })
})
