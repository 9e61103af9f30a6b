import type { Log } from '@plumbline/platform/log'
import type { Hub, Listener } from '../ports'
import { bounds } from '../settings'

type Woken = Awaited<ReturnType<Listener['next']>>
type Ports = {
  subscribe(id: string, onChange: () => void): Promise<() => Promise<void>>
  /** Calls back when the connection was away and is back; returns what ends that. */
  onReconnect(listener: () => void): () => void
  log: Log
}

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

/** Wakes whoever listens to an id when that changes, and all of them by the clock. */
export const openHub = ({ subscribe, onReconnect, log }: Ports): Hub => {
  const all = new Set<ReturnType<typeof listener>>()
  // What was published while the connection was away is lost: everyone looks again.
  const wakeAll = (): void => all.forEach((one) => one.wake('time'))
  const timer = setInterval(wakeAll, bounds.heartbeatMs).unref()
  const ignoreReconnects = onReconnect(wakeAll)
  return {
    stop: (): void => {
      clearInterval(timer)
      ignoreReconnects()
      all.forEach((one) => one.close())
    },
    listen: (id, gone) => {
      const own = listener(() => {
        all.delete(own)
        gone?.removeEventListener('abort', own.close)
        void subscribed.then((unsubscribe) => unsubscribe?.())
      })
      all.add(own)
      gone?.addEventListener('abort', own.close, { once: true })
      const subscribed = subscribe(id, () => own.wake('moved')).catch((error: unknown) => {
        log.warn({ err: error }, 'no wake-ups from the store; a stream goes by the clock')
      })
      // What came before the subscription stood was not heard.
      void subscribed.then(() => own.wake('moved'))
      if (gone?.aborted) own.close()
      return own
    },
  }
}
