import { defineStage } from '@plumbline/hosting'
import { offlineSkills } from '@plumbline/skills/offline'
import { redisCards } from '../cards'
import { route } from './route'
import { RouterEnv } from './router.env'

export const routerStage = defineStage({
  stage: 'router',
  env: RouterEnv,
  limits: (env) => ({ concurrency: env.ROUTER_CONCURRENCY, timeoutMs: env.ROUTER_TIMEOUT_MS }),
  handlers: ({ redis }) => ({ route: route({ skills: offlineSkills, catalog: redisCards(redis) }) }),
})
