import { defineStage } from '@plumbline/hosting'
import { offlineSkills } from '@plumbline/skills/offline'
import { gradeAnswer } from './grade-answer'
import { gradeEvidence } from './grade-evidence'
import { GraderEnv } from './grader.env'

export const graderStage = defineStage({
  stage: 'grader',
  env: GraderEnv,
  limits: (env) => ({ concurrency: env.GRADER_CONCURRENCY, timeoutMs: env.GRADER_TIMEOUT_MS }),
  handlers: () => ({
    'grade-evidence': gradeEvidence({ skills: offlineSkills }),
    'grade-answer': gradeAnswer({ skills: offlineSkills }),
  }),
})
