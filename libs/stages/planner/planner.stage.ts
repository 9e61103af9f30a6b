import { defineStage } from '@plumbline/hosting/define-stage'
import { LookupCardsFromFile } from '@plumbline/hosting/routing/lookup-cards'
import { z } from 'zod'
import { redisCards } from '../handler/collection-cards'
import { plan } from './plan'

export const plannerStage = defineStage({
  stage: 'planner',
  env: z.object({ LOOKUPS_FILE: LookupCardsFromFile }),
  skills: ['plan'],
  handlers: ({ redis, models: { skills } }, own) => ({
    plan: plan({ skills, catalog: redisCards(redis), lookups: own.LOOKUPS_FILE }),
  }),
})
