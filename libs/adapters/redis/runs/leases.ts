import type { Lease } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import putBackLease from './lua/put-back-lease.lua'
import takeLease from './lua/take-lease.lua'

const leaseOf = (by: string, leftMs: number): Lease => ({ by, until: new Date(Date.now() + leftMs).toISOString() })

/** A lease keeps two reviewers from working on the same draft. Even without a lease, only one decision is accepted. */
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
    take: async (tenant: string, runId: string, by: string, forMs: number): Promise<Lease> => {
      const reply = await scripts.leaseTake(keys.lease(runId), by, forMs, keys.parked(tenant, 'rows'))
      const [holder, leftMs] = reply as [string, number]
      await redis.hset(keys.parked(tenant, 'taken'), runId, `${Date.now() + leftMs} ${holder}`)
      return leaseOf(holder, leftMs)
    },
    putBack: async (tenant: string, runId: string, by: string): Promise<string | null> => {
      const holder = (await scripts.leasePutBack(keys.lease(runId), by, keys.parked(tenant, 'rows'))) as string | null
      if (holder === null) await redis.hdel(keys.parked(tenant, 'taken'), runId)
      return holder
    },
    holders: async (tenant: string): Promise<string[]> => {
      const key = keys.parked(tenant, 'taken')
      const all = Object.entries(await redis.hgetall(key)).map(([runId, text]) => {
        const [until = '', ...by] = text.split(' ')
        return { runId, isOver: Number(until) <= Date.now(), by: by.join(' ') }
      })
      const over = all.flatMap(({ runId, isOver }) => (isOver ? [runId] : []))
      if (over.length > 0) await redis.hdel(key, ...over)
      return all.flatMap(({ isOver, by }) => (isOver ? [] : [by]))
    },
    drop: async (tenant: string, runId: string): Promise<void> => {
      await redis.hdel(keys.parked(tenant, 'taken'), runId)
      if ((await redis.del(keys.lease(runId))) > 0) await redis.publish(keys.parked(tenant, 'rows'), '')
    },
    ofRuns: (runIds: string[]): Promise<(Lease | null)[]> => Promise.all(runIds.map(of)),
  })
}
export type Leases = ReturnType<typeof openLeases>
