import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Processes } from '@plumbline/adapters/redis/ops/processes'
import type { ProcessView } from '@plumbline/contracts'
import type { Log } from '@plumbline/platform/log'
import { version } from '@plumbline/platform/version'

const everyMs = 5_000
const resolution = 20
const nanosPerMs = 1_000_000

type Present = Pick<ProcessView, 'app' | 'slots' | 'keyIds'> & { active: () => number }

export const reportAlive = (
  processes: Processes,
  { app, slots, active, keyIds }: Present,
  log: Pick<Log, 'debug'>,
): (() => Promise<void>) => {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const id = `${app}.${randomBytes(9).toString('base64url')}`
  const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString()
  const beat = async (): Promise<void> => {
    const now = Date.now()
    const late = delay.count > 0 ? delay.percentile(99) / nanosPerMs - resolution : 0
    delay.reset()
    const view = {
      id,
      app,
      version,
      host: hostname(),
      pid: process.pid,
      startedAt,
      seenAt: new Date(now).toISOString(),
      stages: Object.keys(slots),
      lagMs: Math.max(0, Math.round(late)),
      memoryBytes: process.memoryUsage.rss(),
      active: active(),
      slots,
      ...(keyIds && { keyIds }),
    }
    await processes
      .beat(view, now)
      .catch((error: unknown) => log.debug({ err: error }, "could not store this process's heartbeat"))
  }
  let beating = beat()
  const timer = setInterval(() => void (beating = beating.then(beat)), everyMs).unref()
  return async () => {
    clearInterval(timer)
    delay.disable()
    await beating
    await processes.gone(id).catch(() => undefined)
  }
}
