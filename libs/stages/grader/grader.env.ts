import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

export const GraderEnv = z.object({
  GRADER_CONCURRENCY: Concurrency.optional(),
  GRADER_TIMEOUT_MS: TimeoutMs.optional(),
})
