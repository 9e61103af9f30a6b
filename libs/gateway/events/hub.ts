import type { RedisClient } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform/log'
import { bounds } from '../settings'

type Woken = 'moved' | 'time' | 'closed'
export type Listener = { next(withinMs: number): Promise<Woken>; close(): void }
type Ports = { subscribe(listener: (id: string) => void): Promise<() => Promise<void>>; redis: RedisClient; log: Log }

const listener = (onClose: () => void): Listener & { wake(how: 'moved' | 'time'): void } => {
  // What happened since the last `next` is kept, so that nothing is missed between a read and a wait.
  let woken: Woken | undefined
  let resume: (() => void) | undefined
  return {
    wake: (how) => {
      if (woken !== 'closed' && woken !== 'moved') woken = how
      resume?.()
    },
    close: () => {
      woken = 'closed'
      onClose()
      resume?.()
    },
    next: async (withinMs) => {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, withinMs)
          resume = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        resume = undefined
      }
      const how: Woken = woken ?? 'time'
      if (how !== 'closed') woken = undefined
      return how
    },
  }
}

/** One subscription for the whole gateway: a published id wakes whoever listens to it, and the clock wakes all. */
export const openHub = ({ subscribe, redis, log }: Ports) => {
  const byId = new Map<string, Set<ReturnType<typeof listener>>>()
  let timer: NodeJS.Timeout | undefined
  let unsubscribe: (() => Promise<void>) | undefined
  // What was published while the connection was away is lost: everyone looks again.
  const wakeAll = (): void => byId.forEach((all) => all.forEach((one) => one.wake('time')))
  return {
    start: async (): Promise<void> => {
      timer = setInterval(wakeAll, bounds.heartbeatMs).unref()
      redis.on('ready', wakeAll)
      try {
        unsubscribe = await subscribe((id) => byId.get(id)?.forEach((one) => one.wake('moved')))
      } catch (error) {
        log.warn({ err: error }, 'no wake-ups from the store; streams go by the clock')
      }
    },
    stop: async (): Promise<void> => {
      clearInterval(timer)
      redis.off('ready', wakeAll)
      byId.forEach((all) => all.forEach((one) => one.close()))
      await unsubscribe?.()
    },
    listen: (id: string): Listener => {
      const all = byId.get(id) ?? new Set()
      byId.set(id, all)
      const own = listener(() => {
        all.delete(own)
        if (all.size === 0 && byId.get(id) === all) byId.delete(id)
      })
      all.add(own)
      return own
    },
  }
}
export type Hub = ReturnType<typeof openHub>
