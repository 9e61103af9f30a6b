import { resilientWebSearch } from '@plumbline/adapters/providers'
import { openSearxngSearch, openTavilySearch } from '@plumbline/adapters/web'
import type { WebSearch } from '@plumbline/ports/web-search'
import type { WebEnv } from './researcher.env'

/** The search that the environment chose; none where it is off. */
export const webSearchOf = (env: WebEnv): WebSearch | undefined => {
  switch (env.WEB_SEARCH) {
    case 'off':
      return undefined
    case 'tavily':
      return resilientWebSearch(openTavilySearch({ apiKey: env.TAVILY_API_KEY }))
    case 'searxng':
      return resilientWebSearch(openSearxngSearch({ baseUrl: env.SEARXNG_URL }))
  }
}
