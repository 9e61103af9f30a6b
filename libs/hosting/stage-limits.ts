import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform/env'
import { setting } from '@plumbline/platform/setting'

/** Returns the schema of `<STAGE>_CONCURRENCY` and `<STAGE>_TIMEOUT_MS`, which every stage reads as `limits`. */
export const StageLimitsEnv = (stage: string) => {
  const prefix = stage.toUpperCase().replaceAll('-', '_')
  const [concurrency, timeoutMs] = [`${prefix}_CONCURRENCY`, `${prefix}_TIMEOUT_MS`]
  return z
    .object({
      [concurrency]: setting(Concurrency.optional(), {
        about: 'the same for one stage, even if it uses no model',
        default: 'by stage',
      }),
      [timeoutMs]: setting(TimeoutMs.optional(), {
        about: 'the maximum time of a task of one stage',
        default: 'by stage',
      }),
    })
    .transform((given) => ({ limits: { concurrency: given[concurrency], timeoutMs: given[timeoutMs] } }))
}
