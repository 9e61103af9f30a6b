import type { Log } from '@plumbline/platform/log'
import type { Hub, Listener } from '../ports'
import { bounds } from '../settings'

type Woken = Awaited<ReturnType<Listener['next']>>
type Ports = {
  subscribe(id: string, onChange: () => void): Promise<() => Promise<void>>
  onReconnect(listener: () => void): () => void
  log: Log
}
type Wake = (how: Woken) => void
type Topic = { wakes: Set<Wake>; reads: Map<string, Promise<unknown>> }

/** Listeners form this many groups. Each group gets heartbeats at its own time, so that not all wake at once. */
const parts = 60
const catchUpMs = 20

const waiter = (): { wake: Wake; next: Listener['next'] } => {
  // An event is stored until the next wait, so that no event after the last read is missed.
  let woken: Woken | undefined
  let resume: (() => void) | undefined
  return {
    wake: (how) => {
      if (woken !== 'closed' && (woken !== 'moved' || how === 'closed')) woken = how
      resume?.()
    },
    next: async (withinMs) => {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
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

const wakeAll = ({ wakes, reads }: Topic, how: Woken): void => {
  // Reads that several listeners share are dropped, because a read that started before this event may return old data.
  reads.clear()
  wakes.forEach((wake) => wake(how))
}

const sharing =
  ({ reads }: Topic): Listener['share'] =>
  <T>(what: string, read: () => Promise<T>): Promise<T> => {
    const before = reads.get(what) as Promise<T> | undefined
    if (before) return before
    const reading = read().finally(() => {
      if (reads.get(what) === reading) reads.delete(what)
    })
    reads.set(what, reading)
    return reading
  }

export const openHub = ({ subscribe, onReconnect, log }: Ports): Hub => {
  type Open = Topic & { subscribed: Promise<void>; leave(): void }
  const topics = new Map<string, Open>()
  const byPart = Array.from({ length: parts }, () => new Set<Topic>())
  const beat = (part: number): void => byPart[part % parts]?.forEach((topic) => wakeAll(topic, 'beat'))
  let [ticks, isStopped] = [0, false]
  const timer = setInterval(() => beat((ticks += 1)), bounds.heartbeatMs / parts).unref()
  // Every listener is woken to read again, because messages were lost while there was no connection.
  const ignoreReconnects = onReconnect(() =>
    byPart.forEach((_, part) => setTimeout(() => beat(part), part * catchUpMs).unref()),
  )

  const open = (id: string): Open => {
    const topic: Topic = { wakes: new Set(), reads: new Map() }
    // Joins the group that was woken last, so that the first heartbeat comes after a whole interval.
    const part = byPart[ticks % parts]
    part?.add(topic)
    const subscribing = subscribe(id, () => wakeAll(topic, 'moved')).catch((error: unknown) => {
      log.warn({ err: error }, 'subscription to changes failed: the stream polls the store instead')
    })
    const leave = (): void => {
      topics.delete(id)
      part?.delete(topic)
      void subscribing.then((unsubscribe) => unsubscribe?.())
    }
    const one = { ...topic, subscribed: subscribing.then(() => undefined), leave }
    topics.set(id, one)
    return one
  }
  return {
    stop: (): void => {
      isStopped = true
      clearInterval(timer)
      ignoreReconnects()
      topics.forEach((topic) => wakeAll(topic, 'closed'))
    },
    listen: (id, clientClosed) => {
      const { wake, next } = waiter()
      if (isStopped || clientClosed?.aborted) {
        wake('closed')
        return { next, share: (_, read) => read(), close: () => undefined }
      }
      const topic = topics.get(id) ?? open(id)
      topic.wakes.add(wake)
      const close = (): void => {
        wake('closed')
        clientClosed?.removeEventListener('abort', close)
        if (topic.wakes.delete(wake) && topic.wakes.size === 0) topic.leave()
      }
      clientClosed?.addEventListener('abort', close, { once: true })
      // Messages sent before the subscription were missed, so the new listener is woken to read.
      void topic.subscribed.then(() => {
        topic.reads.clear()
        wake('moved')
      })
      return { next, share: sharing(topic), close }
    },
  }
}
