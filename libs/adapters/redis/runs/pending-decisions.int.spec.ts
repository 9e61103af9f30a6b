import { expect, it, onTestFinished } from 'vitest'
import { startPrivateRedis } from '@plumbline/platform'
import { connectFailFast, whenReady } from '../client/client'
import { openPendingDecisions } from './pending-decisions'

it('the decisions of a desk are those of its tenant, however many other tenants have', async () => {
  const server = await startPrivateRedis()
  const redis = connectFailFast(server.url)
  onTestFinished(async () => {
    redis.disconnect()
    await server.stop()
  })
  await whenReady(redis, 5_000)
  const decisions = openPendingDecisions(redis)
  const at = Date.now() + 10_000
  for (let n = 0; n < 50; n += 1) await decisions.add('many', { runId: `m${n}`, at, id: 'd' })
  await decisions.add('few', { runId: 'f1', at, id: 'd' })
  expect(await decisions.among('few', ['f1', 'f2', 'm1'])).toEqual(['f1'])
  expect(await decisions.among('many', ['f1', 'm1'])).toEqual(['m1'])
  expect(await redis.zcard('runs:decisions')).toBe(51)
  const stats = await redis.info('commandstats')
  expect(stats).not.toMatch(/cmdstat_zrange:/)
})
