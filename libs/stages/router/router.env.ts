import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

export const RouterEnv = z.object({
  ROUTER_CONCURRENCY: Concurrency.optional(),
  ROUTER_TIMEOUT_MS: TimeoutMs.optional(),
})
