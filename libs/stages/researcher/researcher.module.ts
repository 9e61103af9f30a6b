import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { openLookups } from '@plumbline/adapters/lookups'
import { RedisCatalog } from '@plumbline/adapters/redis'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import { defineStage } from '@plumbline/hosting'
import { keptCollections } from './collections'
import { research } from './research'
import { ResearcherEnv } from './researcher.env'
import { webSearchOf } from './web'

export const researcherStage = defineStage({
  stage: 'researcher',
  env: ResearcherEnv,
  limits: (env) => ({ concurrency: env.RESEARCHER_CONCURRENCY, timeoutMs: env.RESEARCHER_TIMEOUT_MS }),
  handlers: async ({ env, models: { skills, embedder, reranker, rerankers }, redis, store, stop }, own) => {
    await mkdir(env.DATA_DIR, { recursive: true })
    const index = await openSqlitePassageIndex({ file: join(env.DATA_DIR, 'index.sqlite') })
    stop.add('the index', () => index.close())
    const catalog = new RedisCatalog(redis)
    const collections = keptCollections((tenant) => catalog.collections(tenant))
    const lookups = await openLookups(own.LOOKUPS_FILE)
    return { research: research({ skills, index, embedder, reranker, rerankers, collections, web: webSearchOf(own), earlier: store, lookups }) }
  },
})
