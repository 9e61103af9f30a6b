import { setTimeout as wait } from 'node:timers/promises'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Held } from '@plumbline/worker'
import type { Line } from './line'

/** How long what was handed back may take to reach the queue. */
const handBackMs = 3_000

type Ports = {
  lines: Line[]
  held: Held
  ends: { draining: AbortController; ending: AbortController }
  consumer: RedisClient
  drainMs: number
}

/** Takes nothing more, lets tasks finish inside the limit, hands the rest back, and does not wait for a Redis that is away. */
export const drain = async ({ lines, held, ends, consumer, drainMs }: Ports): Promise<void> => {
  ends.draining.abort()
  const closed = Promise.all(lines.map((line) => line.close()))
  if (!(await held.empty(drainMs))) held.stopAll('drain')
  await held.empty(handBackMs)
  const patience = new AbortController()
  await Promise.race([closed, wait(handBackMs, undefined, { signal: patience.signal }).catch(() => {})])
  patience.abort()
  ends.ending.abort()
  consumer.disconnect()
  await closed
}
