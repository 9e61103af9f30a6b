import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common'
import type { RedisClient } from '@plumbline/adapters/redis'
import type { Log } from '@plumbline/platform/log'
import type { RunStore } from '@plumbline/ports/run-store'
import { LOG, REDIS, STORE } from '../ports'
import { bounds } from '../settings'

type Woken = 'moved' | 'time' | 'closed'
export type Listener = { next(withinMs: number): Promise<Woken>; close(): void }

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

/** One subscription for the whole gateway: a published run id wakes whoever listens to that run, and the clock wakes all. */
@Injectable()
export class RunHub implements OnModuleInit, OnApplicationShutdown {
  private readonly byRun = new Map<string, Set<ReturnType<typeof listener>>>()
  private timer: NodeJS.Timeout | undefined
  private unsubscribe: (() => Promise<void>) | undefined

  constructor(
    @Inject(STORE) private readonly store: RunStore,
    @Inject(REDIS) private readonly redis: RedisClient,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async onModuleInit(): Promise<void> {
    this.timer = setInterval(this.wakeAll, bounds.heartbeatMs).unref()
    this.redis.on('ready', this.wakeAll)
    try {
      this.unsubscribe = await this.store.subscribe((runId) => this.byRun.get(runId)?.forEach((one) => one.wake('moved')))
    } catch (error) {
      this.log.warn({ err: error }, 'no wake-ups from the store; streams go by the clock')
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer)
    this.redis.off('ready', this.wakeAll)
    this.byRun.forEach((all) => all.forEach((one) => one.close()))
    await this.unsubscribe?.()
  }

  listen(runId: string): Listener {
    const all = this.byRun.get(runId) ?? new Set()
    this.byRun.set(runId, all)
    const own = listener(() => {
      all.delete(own)
      if (all.size === 0 && this.byRun.get(runId) === all) this.byRun.delete(runId)
    })
    all.add(own)
    return own
  }

  // What was published while the connection was away is lost: everyone looks again.
  private readonly wakeAll = (): void => this.byRun.forEach((all) => all.forEach((one) => one.wake('time')))
}
