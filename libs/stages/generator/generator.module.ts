import { defineStage } from '@plumbline/hosting'
import { redisCards } from '../cards'
import { generate } from './generate'
import { GeneratorEnv } from './generator.env'
import { reply } from './reply'

export const generatorStage = defineStage({
  stage: 'generator',
  env: GeneratorEnv,
  limits: (env) => ({ concurrency: env.GENERATOR_CONCURRENCY, timeoutMs: env.GENERATOR_TIMEOUT_MS }),
  handlers: ({ redis, models: { skills } }) => ({
    generate: generate({ skills }),
    reply: reply({ skills, catalog: redisCards(redis) }),
  }),
})
