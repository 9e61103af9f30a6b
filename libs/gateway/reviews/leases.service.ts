import { Inject, Injectable } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Lease } from '@plumbline/contracts'
import { Refusal } from '../door/problem'
import { REDIS } from '../ports'
import { iso } from '../present'
import { promptly } from '../promptly'
import { bounds } from '../settings'
import putBack from './put-back-lease.lua'
import take from './take-lease.lua'

const keyOf = (runId: string): string => `review:{${runId}}:lease`
const takenBy = (who: string): Refusal =>
  new Refusal('review-taken', `${who} has this draft open. Wait until it is put back or the lease ends.`)

/** Who has a parked draft open. A lease keeps people out of each other's way; the store decides who wins. */
@Injectable()
export class Leases {
  constructor(@Inject(REDIS) private readonly redis: RedisClient) {}

  async take(runId: string, who: string): Promise<Lease> {
    const reply = await promptly(() => this.redis.eval(take, 1, keyOf(runId), who, bounds.leaseMs))
    const [own, by, left] = reply as [number, string, number]
    if (own !== 1) throw takenBy(by)
    return { by, until: iso(Date.now() + left) }
  }

  async putBack(runId: string, who: string): Promise<void> {
    const [gone, by] = (await promptly(() => this.redis.eval(putBack, 1, keyOf(runId), who))) as [number, string]
    if (gone !== 1) throw takenBy(by)
  }

  async checkFree(runId: string, who: string): Promise<void> {
    const by = await promptly(() => this.redis.get(keyOf(runId)))
    if (by !== null && by !== who) throw takenBy(by)
  }

  drop(runId: string): Promise<void> {
    return promptly(async () => void (await this.redis.del(keyOf(runId))))
  }

  ofRuns(runIds: string[]): Promise<(Lease | null)[]> {
    return promptly(() =>
      Promise.all(
        runIds.map(async (runId) => {
          const [by, left] = await Promise.all([this.redis.get(keyOf(runId)), this.redis.pttl(keyOf(runId))])
          return by !== null && left > 0 ? { by, until: iso(Date.now() + left) } : null
        }),
      ),
    )
  }
}
