import { defineStage } from '@plumbline/hosting/define-stage'
import { z } from 'zod'
import { redisCards } from '../handler/collection-cards'
import { gradeAnswer } from './grade-answer'
import { gradeEvidence } from './grade-evidence'

export const graderStage = defineStage({
  stage: 'grader',
  env: z.object({}),
  skills: ['gradeEvidence', 'refineEvidence', 'check'],
  handlers: ({ redis, models: { skills } }) => ({
    'grade-evidence': gradeEvidence({ skills }),
    'grade-answer': gradeAnswer({ skills, catalog: redisCards(redis) }),
  }),
})
