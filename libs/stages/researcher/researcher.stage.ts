import { openLookups } from '@plumbline/adapters/lookups/open-lookups'
import { resilientWebSearch } from '@plumbline/adapters/providers/resilient-ports'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openSearxngSearch } from '@plumbline/adapters/web/searxng-search'
import { openTavilySearch } from '@plumbline/adapters/web/tavily-search'
import { defineStage } from '@plumbline/hosting/define-stage'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import type { WebSearch } from '@plumbline/ports/web-search'
import { cachedCollections, withCaches } from '../handler/caches'
import { research } from './research'
import { ResearcherEnv, type WebEnv } from './researcher.env'

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

export const researcherStage = defineStage({
  stage: 'researcher',
  env: ResearcherEnv,
  handlers: async ({ env, models, redis, store, stop, log }, own) => {
    const index = await openPassageIndex(env)
    stop.add('the index', () => index.close())
    const catalog = openCatalog(redis)
    const collections = cachedCollections((tenant, name) => catalog.collection(tenant, name))
    const lookups = await openLookups(own.LOOKUPS_FILE, { guard: { allowed: own.ALLOW_PRIVATE_ADDRESSES }, log })
    return {
      research: research({
        skills: models.skills,
        index,
        ...withCaches(models, { level: env.CACHE, redis, log }),
        collections,
        readable: async (tenant, access) => (await catalog.collections(tenant, access)).map(({ name }) => name),
        beingRead: catalog.beingRead,
        arriving: catalog.arriving,
        web: webSearchOf(own),
        earlier: store,
        lookups,
      }),
    }
  },
})
