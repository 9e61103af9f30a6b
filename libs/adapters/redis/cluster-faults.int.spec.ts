import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError, startPrivateCluster, type PrivateCluster } from '@plumbline/platform'
import { sampleRun } from '@plumbline/ports/run-store/sample-run'
import { connectFailFast, openRedisRunStore, whenReady, type RedisClient, type RedisRunStore } from './index'

let cluster: PrivateCluster
let redis: RedisClient
let store: RedisRunStore
beforeAll(async () => {
  cluster = await startPrivateCluster()
  redis = connectFailFast(cluster.url)
  await whenReady(redis, 10_000)
  store = openRedisRunStore({ redis })
})
afterAll(async () => {
  await store.close()
  redis.disconnect()
  await cluster.stop()
})

/** Enough runs to have some on every node. */
const ids = Array.from({ length: 30 }, (_, i) => `r${i}`)
const codeOf = (error: unknown): string => (error instanceof AppError ? `${error.code} ${error.retry}` : String(error))
const create = (id: string): Promise<string> =>
  store.create(sampleRun({ id }), [], 'body').then(({ kind }) => kind, codeOf)
const found = (id: string): Promise<string> => store.load(id).then((loaded) => (loaded ? 'found' : 'not found'), codeOf)

test(
  'while a node is down, its runs are unavailable within a second, and back again they are as they were',
  { timeout: 60_000 },
  async () => {
    expect(new Set(await Promise.all(ids.map(create)))).toEqual(new Set(['created']))
    await cluster.nodes[1]?.kill()
    const from = performance.now()
    const answers = await Promise.all(ids.map(found))
    expect(performance.now() - from).toBeLessThan(3_000)
    expect(new Set(answers)).toEqual(new Set(['found', 'store.unavailable later']))
    await cluster.nodes[1]?.start()
    await expect
      .poll(async () => [...new Set(await Promise.all(ids.map(create)))].sort(), { timeout: 30_000 })
      .toEqual(['exists'])
  },
)
