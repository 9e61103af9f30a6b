import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { openAnswerCache } from '@plumbline/adapters/redis/caches/answers'
import { openRedisCache } from '@plumbline/adapters/redis/caches/cache'
import { openPinnedAnswers } from '@plumbline/adapters/redis/caches/pinned-answers'
import { defineStage, type Shared } from '@plumbline/hosting/define-stage'
import { LookupCardsFromFile } from '@plumbline/hosting/routing/lookup-cards'
import { RulesFromFile } from '@plumbline/hosting/routing/rules'
import { z } from 'zod'
import { embedderWithCache } from '../handler/caches'
import { redisCards } from '../handler/collection-cards'
import { pinnedOrCached, cachedAnswer, type FindAnswer, route } from './route'

/** How long the router waits for a cached answer. This is longer than for a search, because it can save a whole run. */
const patienceMs = 250

/** Vectors that only count words can mix up questions, so cached answers are not used with such vectors. */
const knownTo = ({ env: { CACHE: level }, models: { embedder }, redis, store, log }: Shared): FindAnswer => {
  const cache = openRedisCache({ redis, log, patienceMs })
  const known =
    level === 'answers' && embedder.name !== lexicalEmbedder.name
      ? cachedAnswer(openAnswerCache({ redis, store, cache }), embedderWithCache(embedder, { level, redis, log }))
      : undefined
  return pinnedOrCached(openPinnedAnswers({ redis, cache }), known)
}

export const routerStage = defineStage({
  stage: 'router',
  env: z.object({ ROUTES_FILE: RulesFromFile, LOOKUPS_FILE: LookupCardsFromFile }),
  skills: ['route'],
  handlers: (shared, own) => ({
    route: route({
      skills: shared.models.skills,
      catalog: redisCards(shared.redis),
      known: knownTo(shared),
      rules: own.ROUTES_FILE,
      lookups: own.LOOKUPS_FILE,
    }),
  }),
})
