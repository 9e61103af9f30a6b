import { defineStage } from '@plumbline/hosting'
import { gradeAnswer } from './grade-answer'
import { gradeEvidence } from './grade-evidence'
import { GraderEnv } from './grader.env'

export const graderStage = defineStage({
  stage: 'grader',
  env: GraderEnv,
  limits: (env) => ({ concurrency: env.GRADER_CONCURRENCY, timeoutMs: env.GRADER_TIMEOUT_MS }),
  handlers: ({ models: { skills } }) => ({
    'grade-evidence': gradeEvidence({ skills }),
    'grade-answer': gradeAnswer({ skills }),
  }),
})
