import type { Lease } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import putBackLease from './lua/put-back-lease.lua'
import takeLease from './lua/take-lease.lua'

const leaseOf = (by: string, leftMs: number): Lease => ({ by, until: new Date(Date.now() + leftMs).toISOString() })

/** Leases of parked drafts. A lease only keeps reviewers apart; the run store decides between concurrent decisions. */
export const openLeases = (redis: RedisClient) => {
  const scripts = withScripts(redis, {
    leaseTake: { lua: takeLease, numberOfKeys: 1 },
    leasePutBack: { lua: putBackLease, numberOfKeys: 1 },
  })
  const of = async (runId: string): Promise<Lease | null> => {
    const key = keys.lease(runId)
    const [by, leftMs] = await Promise.all([redis.get(key), redis.pttl(key)])
    return by !== null && leftMs > 0 ? leaseOf(by, leftMs) : null
  }
  return throughCall(withTimeout(answerWithinMs), {
    /** Returns the current lease: this reviewer's, or that of another who was first. */
    take: async (tenant: string, runId: string, by: string, forMs: number): Promise<Lease> => {
      const reply = await scripts.leaseTake(keys.lease(runId), by, forMs, keys.parked(tenant, 'rows'))
      const [holder, leftMs] = reply as [string, number]
      return leaseOf(holder, leftMs)
    },
    /** Returns the holder if that is somebody else. */
    putBack: async (tenant: string, runId: string, by: string): Promise<string | null> =>
      (await scripts.leasePutBack(keys.lease(runId), by, keys.parked(tenant, 'rows'))) as string | null,
    drop: async (tenant: string, runId: string): Promise<void> => {
      if ((await redis.del(keys.lease(runId))) > 0) await redis.publish(keys.parked(tenant, 'rows'), '')
    },
    ofRuns: (runIds: string[]): Promise<(Lease | null)[]> => Promise.all(runIds.map(of)),
  })
}
export type Leases = ReturnType<typeof openLeases>
