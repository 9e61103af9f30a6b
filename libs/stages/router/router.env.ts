import { z } from 'zod'
import { RulesFromFile } from '@plumbline/hosting/routing/rules'
import { Concurrency, TimeoutMs } from '@plumbline/platform'

export const RouterEnv = z.object({
  ROUTER_CONCURRENCY: Concurrency.optional(),
  ROUTER_TIMEOUT_MS: TimeoutMs.optional(),
  ROUTES_FILE: RulesFromFile,
})
