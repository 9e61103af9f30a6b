import { z } from 'zod'
import type { WebSearch } from '@plumbline/ports/web-search'
import { askJson, limits, pagesOf } from './results'

const Answer = z.object({
  results: z.array(
    z.object({ title: z.string(), url: z.string(), content: z.string(), published_date: z.string().nullish() }),
  ),
})

/** The maximum length of a query. Tavily rejects longer queries. */
const maxQuery = 400

export const openTavilySearch = ({
  apiKey,
  baseUrl = 'https://api.tavily.com',
}: {
  apiKey: string
  baseUrl?: string
}): WebSearch => ({
  name: 'tavily',
  search: async (query, k, signal, since) => {
    signal.throwIfAborted()
    if (k < 1 || query.trim() === '') return []
    const { results } = await askJson({
      url: new URL(`${baseUrl.replace(/\/+$/, '')}/search`),
      init: {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({
          query: query.slice(0, maxQuery),
          max_results: Math.min(k, limits.pages),
          search_depth: 'basic',
          include_answer: false,
          include_images: false,
          // The topic `news` is needed to find recent pages, because only its results have dates.
          ...(since && { topic: 'news', time_range: since }),
        }),
      },
      signal,
      reads: Answer,
    })
    return pagesOf(
      results.map(({ published_date: published, ...page }) => ({ ...page, published })),
      k,
      Date.now(),
    )
  },
})
