import { defineStage } from '@plumbline/hosting'
import { redisCards } from '../cards'
import { plan } from './plan'
import { PlannerEnv } from './planner.env'

export const plannerStage = defineStage({
  stage: 'planner',
  env: PlannerEnv,
  limits: (env) => ({ concurrency: env.PLANNER_CONCURRENCY, timeoutMs: env.PLANNER_TIMEOUT_MS }),
  handlers: ({ redis, models: { skills } }) => ({ plan: plan({ skills, catalog: redisCards(redis) }) }),
})
