import { defineStage } from '@plumbline/hosting/define-stage'
import { z } from 'zod'
import { redisCards } from '../handler/collection-cards'
import { generate } from './generate'
import { reply } from './reply'

export const generatorStage = defineStage({
  stage: 'generator',
  env: z.object({}),
  skills: ['answer', 'reply', 'summarise'],
  handlers: ({ redis, models: { skills } }) => ({
    generate: generate({ skills }),
    reply: reply({ skills, catalog: redisCards(redis) }),
  }),
})
