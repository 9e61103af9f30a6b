import { z } from 'zod'
import { AppError } from '@plumbline/platform'
import type { Since, WebSearch } from '@plumbline/ports/web-search'
import { askJson, pagesOf } from './results'

/** A result may lack a title or a text, depending on the search engine that found it. */
const Answer = z.object({
  results: z.array(
    z.object({
      title: z.string().nullish(),
      url: z.string(),
      content: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
})

/** SearXNG cannot limit results to the last week, so the last month is used instead. */
const timeRange: Record<Since, string> = { day: 'day', week: 'month', month: 'month', year: 'year' }

const jsonIsOff = 'SearXNG returned no JSON. Add “json” to search.formats in the settings.yml of SearXNG.'

/** SearXNG cannot limit the number of results, so only the first k results are used. */
export const openSearxngSearch = ({ baseUrl }: { baseUrl: string }): WebSearch => ({
  name: 'searxng',
  search: async (query, k, signal, since) => {
    signal.throwIfAborted()
    if (k < 1 || query.trim() === '') return []
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}/search`)
    url.searchParams.set('q', query)
    url.searchParams.set('format', 'json')
    if (since) url.searchParams.set('time_range', timeRange[since])
    try {
      const { results } = await askJson({ url, signal, reads: Answer })
      return pagesOf(
        results.map(({ title, url: address, content, publishedDate }) => ({
          title: title ?? '',
          url: address,
          content: content ?? '',
          published: publishedDate,
        })),
        k,
        Date.now(),
      )
    } catch (error) {
      throw error instanceof AppError && error.code === 'web-search.not-allowed'
        ? new AppError(error.code, 'never', { cause: new Error(jsonIsOff, { cause: error.cause }) })
        : error
    }
  },
})
