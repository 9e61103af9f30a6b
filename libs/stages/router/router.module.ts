import { defineStage } from '@plumbline/hosting'
import { redisCards } from '../cards'
import { route } from './route'
import { RouterEnv } from './router.env'

export const routerStage = defineStage({
  stage: 'router',
  env: RouterEnv,
  limits: (env) => ({ concurrency: env.ROUTER_CONCURRENCY, timeoutMs: env.ROUTER_TIMEOUT_MS }),
  handlers: ({ redis, models: { skills } }) => ({ route: route({ skills, catalog: redisCards(redis) }) }),
})
