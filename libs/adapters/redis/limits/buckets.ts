import type { Log } from '@plumbline/platform'
import type { Buckets, SlotResult } from '../../providers/resilience'
import { keys } from '../client/keys'
import { withTimeout } from '../client/errors'
import { withScripts, type RedisClient } from '../client/client'
import settleSlot from './settle-slot.lua'
import takeSlot from './take-slot.lua'

type Options = {
  redis: RedisClient
  log: Pick<Log, 'warn'>
  minuteMs?: number
}

const slots = 60
const countWithinMs = 500

/** Limits calls to model providers. Allows all calls if Redis fails, because providers also limit the calls. */
export const openRedisBuckets = ({ redis, log, minuteMs = 60_000 }: Options): Buckets => {
  const scripts = withScripts(redis, {
    bucketTake: { lua: takeSlot, numberOfKeys: 1 },
    bucketSettle: { lua: settleSlot, numberOfKeys: 1 },
  })
  const calls = withTimeout(countWithinMs)
  const allowOnError = async <Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await calls(work)
    } catch (error) {
      log.warn({ err: error }, 'provider calls not counted: redis not responding')
      return otherwise
    }
  }
  const take = async (name: string, requests: number, most: number, tokens: number): Promise<SlotResult> => {
    const [kind, value] = (await scripts.bucketTake(keys.bucket(name), requests, most, tokens, minuteMs, slots)) as [
      string,
      string | number,
    ]
    return kind === 'wait' ? { kind: 'wait', ms: Number(value) } : { kind: 'taken', slot: String(value) }
  }
  return {
    take: (name, { requests = 0, tokens = 0 }, wanted) =>
      allowOnError(() => take(name, requests, tokens, wanted), { kind: 'taken', slot: '' }),
    settle: async (name, slot, byTokens) => {
      if (slot !== '' && byTokens !== 0)
        await allowOnError(() => scripts.bucketSettle(keys.bucket(name), `t${slot}`, Math.round(byTokens)), undefined)
    },
    pause: async (name, until) => {
      await allowOnError(() => scripts.bucketSettle(keys.bucket(name), 'until', Math.ceil(until)), undefined)
    },
  }
}
