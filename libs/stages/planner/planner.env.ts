import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

export const PlannerEnv = z.object({
  PLANNER_CONCURRENCY: Concurrency.optional(),
  PLANNER_TIMEOUT_MS: TimeoutMs.optional(),
})
