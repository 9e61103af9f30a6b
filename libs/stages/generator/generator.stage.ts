import { defineStage } from '@plumbline/hosting/define-stage'
import { Concurrency, TimeoutMs } from '@plumbline/platform'
import { z } from 'zod'
import { redisCards } from '../handler/collection-cards'
import { generate } from './generate'
import { reply } from './reply'

export const generatorStage = defineStage({
  stage: 'generator',
  env: z.object({ GENERATOR_CONCURRENCY: Concurrency.optional(), GENERATOR_TIMEOUT_MS: TimeoutMs.optional() }),
  skills: ['answer', 'reply', 'summarise'],
  limits: (env) => ({ concurrency: env.GENERATOR_CONCURRENCY, timeoutMs: env.GENERATOR_TIMEOUT_MS }),
  handlers: ({ redis, models: { skills } }) => ({
    generate: generate({ skills }),
    reply: reply({ skills, catalog: redisCards(redis) }),
  }),
})
