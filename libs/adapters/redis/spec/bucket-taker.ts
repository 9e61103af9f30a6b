import { silent } from '@plumbline/platform'
import type { Buckets } from '../../providers'
import { openRedisBuckets } from '../buckets'
import { connectWaiting } from '../clients'
import type { RedisClient } from '../scripts'
import { takers, type Got } from './admission'

const provider = 'api.openai.com:gpt-4.1'
const reserve = 100
const lanes = 8

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Taker = { buckets: Buckets; limits: { requests: number; tokens: number }; got: Got }

/** How long to wait for a place, 0 where one was taken. */
const takeOne = async ({ buckets, limits, got }: Taker): Promise<number> => {
  const before = Date.now()
  const taken = await buckets.take(provider, limits, reserve)
  if (taken.kind === 'wait') return taken.ms
  const used = 50 + Math.floor(Math.random() * 50)
  got.push([before, used])
  await buckets.settle(provider, taken.slot, used - reserve)
  return 0
}

const takeUntil = async (end: number, taker: Taker): Promise<void> => {
  while (Date.now() < end) {
    const ms = await takeOne(taker)
    if (ms > 0) await pause(Math.min(ms, end - Date.now()))
  }
}

/** A process may take longer to start than the others need for all there is. */
const allThere = async (redis: RedisClient, key: string): Promise<void> => {
  await redis.multi().incr(key).expire(key, 60).exec()
  while (Number(await redis.get(key)) < takers) await pause(5)
}

/** The work of a process of its own: takes places as fast as it may, for a while, and prints when it got each, and with how many tokens. */
export const takePlaces = async ([url = '', minuteMs, requests, tokens, forMs, round]: string[]): Promise<void> => {
  const redis = connectWaiting(url)
  const buckets = openRedisBuckets({ redis, log: silent, minuteMs: Number(minuteMs) })
  const taker: Taker = { buckets, limits: { requests: Number(requests), tokens: Number(tokens) }, got: [] }
  await takeOne(taker)
  await allThere(redis, `takers:${round}`)
  const end = Date.now() + Number(forMs)
  await Promise.all(Array.from({ length: lanes }, () => takeUntil(end, taker)))
  process.stdout.write(JSON.stringify(taker.got))
  redis.disconnect()
}
