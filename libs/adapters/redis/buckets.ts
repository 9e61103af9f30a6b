import type { Log } from '@plumbline/platform'
import type { Buckets, Taken } from '../providers'
import { keys } from './keys'
import { callsWithin } from './redis-errors'
import { withScripts, type RedisClient } from './scripts'

type Options = {
  redis: RedisClient
  log: Pick<Log, 'warn'>
  /** Shorter in specs. */
  minuteMs?: number
}

const slots = 60
/** A call does not wait longer than this to be counted. */
const patienceMs = 500

/** Requests and tokens of a minute, shared by all replicas. Without Redis calls go through uncounted: the provider counts as well. */
export const openRedisBuckets = ({ redis, log, minuteMs = 60_000 }: Options): Buckets => {
  const scripts = withScripts(redis)
  const calls = callsWithin(patienceMs)
  const told = async <Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await calls(work)
    } catch (error) {
      log.warn({ err: error }, 'calls of providers are not counted: Redis does not answer')
      return otherwise
    }
  }
  const take = async (name: string, requests: number, most: number, tokens: number): Promise<Taken> => {
    const [kind, value] = (await scripts.bucketTake(keys.bucket(name), requests, most, tokens, minuteMs, slots)) as [
      string,
      string | number,
    ]
    return kind === 'wait' ? { kind: 'wait', ms: Number(value) } : { kind: 'taken', slot: String(value) }
  }
  return {
    take: (name, { requests = 0, tokens = 0 }, wanted) =>
      told(() => take(name, requests, tokens, wanted), { kind: 'taken', slot: '' }),
    settle: async (name, slot, byTokens) => {
      if (slot !== '' && byTokens !== 0)
        await told(() => scripts.bucketSettle(keys.bucket(name), `t${slot}`, Math.round(byTokens)), undefined)
    },
    pause: async (name, until) => {
      await told(() => scripts.bucketSettle(keys.bucket(name), 'until', Math.ceil(until)), undefined)
    },
  }
}
