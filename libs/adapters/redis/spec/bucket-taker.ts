import { silent } from '@plumbline/platform'
import { openRedisBuckets } from '../buckets'
import { connectWaiting } from '../clients'

/** A process of its own that takes places as fast as it may, for a while; prints when it got each, and with how many tokens. */
const [url = '', minuteMs, requests, tokens, forMs, start] = process.argv.slice(-6)
const redis = connectWaiting(url)
const buckets = openRedisBuckets({ redis, log: silent, minuteMs: Number(minuteMs) })
const limits = { requests: Number(requests), tokens: Number(tokens) }
const got: [number, number][] = []

const reserve = 100
const takeUntil = async (end: number): Promise<void> => {
  while (Date.now() < end) {
    const before = Date.now()
    const taken = await buckets.take('api.openai.com:gpt-4.1', limits, reserve)
    if (taken.kind === 'wait') {
      await new Promise((resolve) => setTimeout(resolve, Math.min(taken.ms, end - Date.now())))
      continue
    }
    const used = 50 + Math.floor(Math.random() * 50)
    got.push([before, used])
    await buckets.settle('api.openai.com:gpt-4.1', taken.slot, used - reserve)
  }
}

await new Promise((resolve) => setTimeout(resolve, Number(start) - Date.now()))
const end = Date.now() + Number(forMs)
await Promise.all(Array.from({ length: 8 }, () => takeUntil(end)))
process.stdout.write(JSON.stringify(got))
redis.disconnect()
