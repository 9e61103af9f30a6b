import { lexicalEmbedder } from '@plumbline/adapters/offline'
import { openAnswerCache, openRedisCache } from '@plumbline/adapters/redis'
import { defineStage, type Shared } from '@plumbline/hosting'
import { rememberingEmbedder } from '../remembering'
import { redisCards } from '../cards'
import { knownBefore, type KnownBefore } from './known'
import { route } from './route'
import { RouterEnv } from './router.env'

/** A whole run is saved by waiting a little longer than a search is worth. */
const patienceMs = 250

/** Vectors that only count words say too little of a question to answer another by it. */
const knownTo = ({
  env: { CACHE: level },
  models: { embedder },
  redis,
  store,
  log,
}: Shared): KnownBefore | undefined =>
  level === 'answers' && embedder.name !== lexicalEmbedder.name
    ? knownBefore(
        openAnswerCache({ redis, store, cache: openRedisCache({ redis, log, patienceMs }) }),
        rememberingEmbedder(embedder, { level, redis, log }),
      )
    : undefined

export const routerStage = defineStage({
  stage: 'router',
  env: RouterEnv,
  limits: (env) => ({ concurrency: env.ROUTER_CONCURRENCY, timeoutMs: env.ROUTER_TIMEOUT_MS }),
  handlers: (shared, own) => ({
    route: route({
      skills: shared.models.skills,
      catalog: redisCards(shared.redis),
      known: knownTo(shared),
      rules: own.ROUTES_FILE,
    }),
  }),
})
