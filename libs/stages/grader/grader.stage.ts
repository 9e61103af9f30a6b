import { defineStage } from '@plumbline/hosting/define-stage'
import { Concurrency, TimeoutMs } from '@plumbline/platform'
import { z } from 'zod'
import { redisCards } from '../handler/collection-cards'
import { gradeAnswer } from './grade-answer'
import { gradeEvidence } from './grade-evidence'

export const graderStage = defineStage({
  stage: 'grader',
  env: z.object({ GRADER_CONCURRENCY: Concurrency.optional(), GRADER_TIMEOUT_MS: TimeoutMs.optional() }),
  skills: ['gradeEvidence', 'refineEvidence', 'check'],
  limits: (env) => ({ concurrency: env.GRADER_CONCURRENCY, timeoutMs: env.GRADER_TIMEOUT_MS }),
  handlers: ({ redis, models: { skills } }) => ({
    'grade-evidence': gradeEvidence({ skills }),
    'grade-answer': gradeAnswer({ skills, catalog: redisCards(redis) }),
  }),
})
