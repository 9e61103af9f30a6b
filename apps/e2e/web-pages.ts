import { createServer } from 'node:http'
import { onLoopback } from '@plumbline/testing/loopback'

export type WebPage = { title: string; url: string; content: string }

export type WebPages = {
  url: string
  searches: string[]
  close(): Promise<void>
}

export const openWebPages = async (pagesFor: (query: string) => WebPage[]): Promise<WebPages> => {
  const searches: string[] = []
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://web').searchParams.get('q') ?? ''
    searches.push(query)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ query, results: pagesFor(query) }))
  })
  return { searches, ...(await onLoopback(server)) }
}
