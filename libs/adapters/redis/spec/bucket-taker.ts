import { silent } from '@plumbline/platform'
import type { Buckets } from '../../providers/resilience'
import { connectWaiting } from '../client/client'
import type { RedisClient } from '../client/client'
import { openRedisBuckets } from '../limits/buckets'

/** A slot was taken at some time between `from` and `to`, and then `used` tokens were used. */
export type Got = { from: number; to: number; used: number }[]
export type Shared = { url: string; minuteMs: number; requests: number; tokens: number; forMs: number }

/** Returns the highest sum within `ms`. Only slots that were certainly taken within the same `ms` count together. */
const most = (got: Got, ms: number, weight: (one: Got[number]) => number): number =>
  Math.max(
    0,
    ...got.map(({ from }) =>
      got.reduce((sum, one) => sum + (one.from >= from && one.to < from + ms ? weight(one) : 0), 0),
    ),
  )

const takers = 4

export const admission = async (
  { url, minuteMs, requests, tokens, forMs }: Shared,
  take: (args: string[]) => Promise<Got>,
) => {
  const args = [url, minuteMs, requests, tokens, forMs, Date.now()].map(String)
  const each = await Promise.all(Array.from({ length: takers }, () => take(args)))
  const got = each.flat()
  // A call may happen anywhere within its slot (1/60 of the minute), so the measured period is shorter by one slot.
  const stretch = minuteMs - minuteMs / 60
  const highest = { requests: most(got, stretch, () => 1), tokens: most(got, stretch, ({ used }) => used) }
  const total = requests > 0 ? got.length / requests : got.reduce((sum, { used }) => sum + used, 0) / tokens
  return { each, highest, total }
}

const provider = 'api.openai.com:gpt-4.1'
const reserve = 100
const lanes = 8

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Taker = { buckets: Buckets; limits: { requests: number; tokens: number }; got: Got }

/** Returns 0 if a slot was taken, otherwise the time to wait in ms. */
const takeOne = async ({ buckets, limits, got }: Taker): Promise<number> => {
  const from = Date.now()
  const taken = await buckets.take(provider, limits, reserve)
  if (taken.kind === 'wait') return taken.ms
  // Redis did not answer in time. Such a call is allowed by design, but it takes no slot.
  if (taken.slot === '') return 0
  const used = 50 + Math.floor(Math.random() * 50)
  got.push({ from, to: Date.now(), used })
  await buckets.settle(provider, taken.slot, used - reserve)
  return 0
}

const takeUntil = async (end: number, taker: Taker): Promise<void> => {
  while (Date.now() < end) {
    const ms = await takeOne(taker)
    if (ms > 0) await pause(Math.min(ms, end - Date.now()))
  }
}

/** Waits until all processes run. Otherwise the first processes could use up the limit before the last one starts. */
const allThere = async (redis: RedisClient, key: string): Promise<void> => {
  await redis.multi().incr(key).expire(key, 60).exec()
  while (Number(await redis.get(key)) < takers) await pause(5)
}

export const takeSlots = async ([url = '', minuteMs, requests, tokens, forMs, round]: string[]): Promise<void> => {
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
