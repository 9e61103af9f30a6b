import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { AppError } from '@plumbline/platform'
import type { WebSearch } from '@plumbline/ports/web-search'
import { webSearchContract, type ScriptedResponse } from '@plumbline/ports/web-search.contract'
import { openSearxngSearch } from './searxng-search'
import { openTavilySearch } from './tavily-search'

type Pages = Extract<ScriptedResponse, { kind: 'pages' }>['pages']
type Service = { queryOf(url: URL, body: string): string; answer(query: string, pages: Pages): unknown }
type Request = { method: string; path: string; params: URLSearchParams; authorization: string; body: string }

const tavily: Service = {
  queryOf: (_url, body) => (JSON.parse(body) as { query: string }).query,
  answer: (query, pages) => ({
    query,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: pages.map(({ published, ...page }) => ({
      ...page,
      score: 0.9,
      raw_content: null,
      ...(published !== undefined && { published_date: published }),
    })),
    response_time: 0.41,
    request_id: '123e4567-e89b-12d3-a456-426614174111',
  }),
}
const searxng: Service = {
  queryOf: (url) => url.searchParams.get('q') ?? '',
  answer: (query, pages) => ({
    query,
    number_of_results: 0,
    results: pages.map(({ published = null, ...page }) => ({
      ...page,
      engine: 'duckduckgo',
      parsed_url: ['https', 'example.org', '/', '', '', ''],
      template: 'default.html',
      engines: ['duckduckgo'],
      positions: [1],
      score: 1,
      category: 'general',
      publishedDate: published,
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [['brave', 'timeout']],
  }),
}

const serving = async (service: Service, open: (baseUrl: string) => WebSearch) => {
  const queries: string[] = []
  const requests: Request[] = []
  let next: ScriptedResponse = { kind: 'pages', pages: [] }
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://here')
    const body = await text(request)
    const query = service.queryOf(url, body)
    queries.push(query)
    requests.push({
      method: request.method ?? '',
      path: url.pathname,
      params: url.searchParams,
      authorization: request.headers.authorization ?? '',
      body,
    })
    if (next.kind === 'gone') response.destroy()
    if (next.kind === 'status')
      response.writeHead(next.status, next.retryAfter === undefined ? {} : { 'retry-after': next.retryAfter }).end('no')
    if (next.kind === 'body') response.end(next.body)
    if (next.kind === 'pages')
      response.setHeader('content-type', 'application/json').end(JSON.stringify(service.answer(query, next.pages)))
  }
  const server = createServer((request, response) => void reply(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    search: open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    play: (played: ScriptedResponse) => void (next = played),
    asked: () => queries,
    requests: () => requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

webSearchContract('tavily', () => serving(tavily, (baseUrl) => openTavilySearch({ apiKey: 'tvly-key', baseUrl })))
webSearchContract('searxng', () => serving(searxng, (baseUrl) => openSearxngSearch({ baseUrl: `${baseUrl}/` })))

const signal = new AbortController().signal

describe('tavily', () => {
  it('is called as its API documentation says, with the key only in the header', async () => {
    const { search, requests, close } = await serving(tavily, (baseUrl) =>
      openTavilySearch({ apiKey: 'tvly-key', baseUrl }),
    )
    await search.search('q'.repeat(900), 5, signal)
    const [request] = requests()
    expect(request).toMatchObject({ method: 'POST', path: '/search', authorization: 'Bearer tvly-key' })
    expect(JSON.parse(request!.body)).toEqual({
      query: 'q'.repeat(400),
      max_results: 5,
      search_depth: 'basic',
      include_answer: false,
      include_images: false,
    })
    await close()
  })

  it('is asked for news if recent pages are wanted, because only news have dates', async () => {
    const { search, requests, close } = await serving(tavily, (baseUrl) =>
      openTavilySearch({ apiKey: 'tvly-key', baseUrl }),
    )
    await search.search('q', 5, signal, 'week')
    expect(JSON.parse(requests()[0]!.body)).toMatchObject({ topic: 'news', time_range: 'week' })
    await close()
  })
})

describe('searxng', () => {
  it('gets a time range that it supports, or none if none is requested', async () => {
    const { search, requests, close } = await serving(searxng, (baseUrl) => openSearxngSearch({ baseUrl }))
    for (const since of ['day', 'week', 'month', 'year', undefined] as const) await search.search('q', 3, signal, since)
    expect(requests().map(({ params }) => params.get('time_range'))).toEqual(['day', 'month', 'month', 'year', null])
    await close()
  })

  it('reports the setting to change if JSON is switched off', async () => {
    const { search, play, close } = await serving(searxng, (baseUrl) => openSearxngSearch({ baseUrl }))
    play({ kind: 'status', status: 403 })
    const error: unknown = await search.search('q', 3, signal).catch((thrown: unknown) => thrown)
    expect(error instanceof AppError && error.cause instanceof Error ? error.cause.message : '').toMatch(
      /Add “json” to search\.formats/,
    )
    await close()
  })
})
