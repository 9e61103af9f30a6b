import { expect, it } from 'vitest'
import { stages } from '@plumbline/flow'
import { EnvError, readEnv } from '@plumbline/platform/env'
import { allStages } from './all'

it.each(stages)('the %s reads its own limits, and only those', (stage) => {
  const name = stage.toUpperCase()
  const read = (given: Record<string, string>) => readEnv(allStages[stage].env, given)
  const none = { concurrency: undefined, timeoutMs: undefined }
  expect(read({ [`${name}_CONCURRENCY`]: '3', [`${name}_TIMEOUT_MS`]: '500' })).toMatchObject({
    limits: { concurrency: 3, timeoutMs: 500 },
  })
  expect(read({ OTHER_CONCURRENCY: '3' })).toMatchObject({ limits: none })
  expect(() => read({ [`${name}_CONCURRENCY`]: 'many' })).toThrow(EnvError)
})
