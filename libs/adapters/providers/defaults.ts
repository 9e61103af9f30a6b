import { silent } from '@plumbline/platform'
import { breakerLimits } from './breaker'
import { noBuckets } from './buckets'
import { systemClock } from './clock'
import type { Resilience } from './guard'

export const resilience: Resilience = {
  calls: 3,
  timeoutMs: 25_000,
  mayWaitMs: 2_000,
  backoff: { baseMs: 400, capMs: 4_000 },
  breaker: breakerLimits,
  clock: systemClock,
  buckets: noBuckets,
  centsOf: () => 0,
  log: silent,
}
