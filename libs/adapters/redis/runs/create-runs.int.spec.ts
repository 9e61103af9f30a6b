import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Run } from '@plumbline/flow'
import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { asked, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { keys } from '../client/keys'
import { connectFailFast, whenReady, type RedisClient } from '../client/client'
import { openRedisRunStore, type RedisRunStore } from './redis-run-store'

const servers: [string, () => Promise<{ url: string; stop(): Promise<void> }>][] = [
  ['one Redis', () => startPrivateRedis()],
  ['a cluster', () => startPrivateCluster()],
]
const policyOf = (i: number) => ({ name: i % 3 === 0 ? 'research' : 'standard' }) as Run['policy']
const crowd = Array.from({ length: 120 }, (_, i) =>
  sampleRun({ id: `r${i}`, tenant: `t${i % 2}`, lane: `l${i % 2}`, question: `Question ${i}?`, policy: policyOf(i) }),
)

const eventsOf = (run: Run): number => (run.tenant === 't0' ? 1 : 3)

describe.each(servers)('a crowd of runs in one turn on %s', (_, start) => {
  let server: Awaited<ReturnType<typeof start>>
  let redis: RedisClient
  let store: RedisRunStore
  beforeAll(async () => {
    server = await start()
    redis = connectFailFast(server.url)
    await whenReady(redis, 10_000)
    store = openRedisRunStore({ redis })
  })
  afterAll(async () => {
    await store.close()
    redis.disconnect()
    await server.stop()
  })
  const arrive = (runs: Run[], bodyOf: (run: Run) => string) =>
    Promise.all(
      runs.map(async (run) => {
        const scheduled = store.schedule({ lane: run.lane, runId: run.id }, run.createdAt)
        const created = await store.create(run, Array.from({ length: eventsOf(run) }, asked), bodyOf(run))
        await scheduled
        return created
      }),
    )

  test('each is scheduled, created and listed as if it had come alone', async () => {
    expect(await arrive(crowd, ({ id }) => id)).toEqual(crowd.map(() => ({ kind: 'created' })))
    expect(await store.loadMany(crowd.map(({ id }) => id))).toEqual(crowd)
    for (const [i, tenant] of ['t0', 't1'].entries()) {
      const its = crowd.filter((run) => run.tenant === tenant).map(({ id }) => id)
      expect((await store.list(tenant, { cursor: null, limit: 100 })).ids.sort()).toEqual(its.sort())
      expect((await redis.zrange(keys.open(`l${i}`), '0', '-1')).sort()).toEqual(its.sort())
    }
    for (const run of crowd) expect(await store.ledger(run.id, null, 10)).toHaveLength(eventsOf(run))
  })

  test('each gets its own result: created, existing, or existing with another body', async () => {
    const fresh = sampleRun({ id: 'fresh', policy: policyOf(1) })
    const twice = [fresh, ...crowd.slice(0, 60), fresh, ...crowd.slice(60)]
    const answers = await arrive(twice, ({ id }) => (id === 'r7' || id === 'r70' ? 'another' : id))
    expect(answers).toEqual(
      twice.map((run, i) =>
        i === 0
          ? { kind: 'created' }
          : run.id === 'r7' || run.id === 'r70'
            ? { kind: 'conflict' }
            : { kind: 'exists', run },
      ),
    )
  })
})
