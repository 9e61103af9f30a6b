import { defineStage } from '@plumbline/hosting'
import { plan } from './plan'
import { PlannerEnv } from './planner.env'

export const plannerStage = defineStage({
  stage: 'planner',
  env: PlannerEnv,
  limits: (env) => ({ concurrency: env.PLANNER_CONCURRENCY, timeoutMs: env.PLANNER_TIMEOUT_MS }),
  handlers: ({ models: { skills } }) => ({ plan: plan({ skills }) }),
})
