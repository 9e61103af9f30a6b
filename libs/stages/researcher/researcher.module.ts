import { openLookups } from '@plumbline/adapters/lookups'
import { RedisCatalog } from '@plumbline/adapters/redis'
import { defineStage } from '@plumbline/hosting'
import { openPassageIndex } from '@plumbline/hosting/passages'
import { withCaches } from './caches'
import { keptCollections } from './collections'
import { research } from './research'
import { ResearcherEnv } from './researcher.env'
import { webSearchOf } from './web'

export const researcherStage = defineStage({
  stage: 'researcher',
  env: ResearcherEnv,
  limits: (env) => ({ concurrency: env.RESEARCHER_CONCURRENCY, timeoutMs: env.RESEARCHER_TIMEOUT_MS }),
  handlers: async ({ env, models, redis, store, stop, log }, own) => {
    const index = await openPassageIndex(env)
    stop.add('the index', () => index.close())
    const catalog = new RedisCatalog(redis)
    const collections = keptCollections((tenant, name) => catalog.collection(tenant, name))
    const lookups = await openLookups(own.LOOKUPS_FILE)
    return {
      research: research({
        skills: models.skills,
        index,
        ...withCaches(models, { level: env.CACHE, redis, log }),
        collections,
        web: webSearchOf(own),
        earlier: store,
        lookups,
      }),
    }
  },
})
