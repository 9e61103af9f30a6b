import { defineStage } from '@plumbline/hosting/define-stage'
import { LookupCardsFromFile } from '@plumbline/hosting/routing/lookup-cards'
import { Concurrency, TimeoutMs } from '@plumbline/platform'
import { z } from 'zod'
import { redisCards } from '../handler/collection-cards'
import { plan } from './plan'

export const plannerStage = defineStage({
  stage: 'planner',
  env: z.object({
    PLANNER_CONCURRENCY: Concurrency.optional(),
    PLANNER_TIMEOUT_MS: TimeoutMs.optional(),
    LOOKUPS_FILE: LookupCardsFromFile,
  }),
  skills: ['plan'],
  limits: (env) => ({ concurrency: env.PLANNER_CONCURRENCY, timeoutMs: env.PLANNER_TIMEOUT_MS }),
  handlers: ({ redis, models: { skills } }, own) => ({
    plan: plan({ skills, catalog: redisCards(redis), lookups: own.LOOKUPS_FILE }),
  }),
})
