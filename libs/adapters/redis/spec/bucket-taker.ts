import { silent } from '@plumbline/platform'
import type { Buckets } from '../../providers'
import { openRedisBuckets } from '../buckets'
import { connectWaiting } from '../clients'
import type { Got } from './admission'

const provider = 'api.openai.com:gpt-4.1'
const reserve = 100
const lanes = 8

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const takeUntil = async (end: number, buckets: Buckets, limits: { requests: number; tokens: number }, got: Got): Promise<void> => {
  while (Date.now() < end) {
    const before = Date.now()
    const taken = await buckets.take(provider, limits, reserve)
    if (taken.kind === 'wait') {
      await pause(Math.min(taken.ms, end - Date.now()))
      continue
    }
    const used = 50 + Math.floor(Math.random() * 50)
    got.push([before, used])
    await buckets.settle(provider, taken.slot, used - reserve)
  }
}

/** The work of a process of its own: takes places as fast as it may, for a while, and prints when it got each, and with how many tokens. */
export const takePlaces = async ([url = '', minuteMs, requests, tokens, forMs, start]: string[]): Promise<void> => {
  const redis = connectWaiting(url)
  const buckets = openRedisBuckets({ redis, log: silent, minuteMs: Number(minuteMs) })
  const limits = { requests: Number(requests), tokens: Number(tokens) }
  const got: Got = []
  await pause(Number(start) - Date.now())
  const end = Date.now() + Number(forMs)
  await Promise.all(Array.from({ length: lanes }, () => takeUntil(end, buckets, limits, got)))
  process.stdout.write(JSON.stringify(got))
  redis.disconnect()
}
