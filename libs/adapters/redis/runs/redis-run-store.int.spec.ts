import { Cluster } from 'ioredis'
import { startPrivateCluster, startPrivateRedis } from '@plumbline/platform'
import { runStoreContract, type RunStoreSubject } from '@plumbline/ports/run-store/run-store.contract'
import { connectFailFast, whenReady } from '../client/client'
import { openRedisRunStore } from './redis-run-store'
import { forgetRun, snapshotRun } from '../spec/own-redis.spec'

/** The time limit is long, because a slow machine must not make the spec fail. */
const answerWithinMs = 20_000

const subjectAt = async (server: { url: string; stop(): Promise<void> }): Promise<RunStoreSubject> => {
  const [here, there] = [connectFailFast(server.url), connectFailFast(server.url)]
  await Promise.all([whenReady(here, 5_000), whenReady(there, 5_000)])
  const [store, other] = [
    openRedisRunStore({ redis: here, answerWithinMs }),
    openRedisRunStore({ redis: there, answerWithinMs }),
  ]
  return {
    store,
    other,
    forget: (runId) => forgetRun(here, runId),
    snapshot: (runId) => snapshotRun(here, runId),
    close: async () => {
      await Promise.all([store.close(), other.close()])
      here.disconnect()
      there.disconnect()
      await server.stop()
    },
  }
}

runStoreContract('RedisRunStore', async () => subjectAt(await startPrivateRedis()))
runStoreContract('RedisRunStore on a cluster', async () => {
  const cluster = await startPrivateCluster()
  const probe = connectFailFast(cluster.url)
  if (!(probe instanceof Cluster)) throw new Error('the list of nodes was not read as a cluster')
  probe.disconnect()
  return subjectAt(cluster)
})
