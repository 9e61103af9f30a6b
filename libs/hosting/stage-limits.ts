import { z } from 'zod'
import { Concurrency, TimeoutMs } from '@plumbline/platform/env'
import { setting } from '@plumbline/platform/setting'

const concurrency = setting(Concurrency.optional(), {
  about: 'the same for one stage, even if it uses no model',
  default: 'by stage',
})
const timeoutMs = setting(TimeoutMs.optional(), {
  about: 'the maximum time of a task of one stage',
  default: 'by stage',
})

/** Returns the schema of `<STAGE>_CONCURRENCY` and `<STAGE>_TIMEOUT_MS`, which every stage reads as `limits`. */
export const StageLimitsEnv = (stage: string) => {
  const prefix = stage.toUpperCase().replaceAll('-', '_')
  return z
    .object({ [`${prefix}_CONCURRENCY`]: concurrency, [`${prefix}_TIMEOUT_MS`]: timeoutMs })
    .transform((given) => ({
      limits: { concurrency: given[`${prefix}_CONCURRENCY`], timeoutMs: given[`${prefix}_TIMEOUT_MS`] },
    }))
}
