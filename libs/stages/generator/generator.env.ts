import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

export const GeneratorEnv = z.object({
  GENERATOR_CONCURRENCY: Concurrency.optional(),
  GENERATOR_TIMEOUT_MS: TimeoutMs.optional(),
})
