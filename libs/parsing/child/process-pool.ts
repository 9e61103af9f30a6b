import type { ParsedDocument } from '@plumbline/contracts'
import type { DrawnPage } from '@plumbline/ports/document-parser'
import { AppError } from '@plumbline/platform'
import type { Limits } from '../limits'
import { type Child, type Done, type Job, startChild } from './reading-process'

const openPlaces = (atOnce: number) => {
  const waiting = new Set<() => void>()
  let taken = 0
  const enter = async (signal: AbortSignal): Promise<void> => {
    if (taken < atOnce) return void (taken += 1)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = (): void => {
      // Do not reject a job that is no longer in `waiting`, because it already has its place.
      if (waiting.delete(resolve)) reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    waiting.add(resolve)
    await promise.finally(() => signal.removeEventListener('abort', abort))
  }
  const leave = (): void => {
    const [next] = waiting
    if (!next) return void (taken -= 1)
    waiting.delete(next)
    next()
  }
  return { enter, leave }
}

export const openProcessPool = (limits: Limits, start: (limits: Limits) => Child = startChild) => {
  const places = openPlaces(limits.atOnce)
  const idle = new Map<Child, NodeJS.Timeout>()
  const busy = new Set<Child>()
  let closed = false

  const rest = (child: Child): void => {
    busy.delete(child)
    if (!child.fit() || closed) return child.end()
    const timer = setTimeout(() => {
      idle.delete(child)
      child.end()
    }, limits.idleMs)
    idle.set(child, timer.unref())
  }
  const rested = (): Child | undefined => {
    for (const [child, timer] of idle) {
      clearTimeout(timer)
      idle.delete(child)
      if (child.fit()) return child
    }
    return undefined
  }
  const workIn = (child: Child, job: Job): Promise<Done> => {
    busy.add(child)
    return child.work(job).finally(() => rest(child))
  }
  const work = async (job: Job): Promise<Done> => {
    job.signal.throwIfAborted()
    await places.enter(job.signal)
    try {
      job.signal.throwIfAborted()
      if (closed) throw new AppError('parser.closed', 'later')
      return await workIn(rested() ?? start(limits), job)
    } finally {
      places.leave()
    }
  }
  const read = async (job: Job): Promise<ParsedDocument> => {
    const done = await work(job)
    if (done.kind !== 'read') throw new AppError('parser.answer', 'never')
    return done.document
  }
  const draw = async (job: Job, page: number): Promise<DrawnPage | null> => {
    const done = await work({ ...job, draw: page })
    if (done.kind !== 'drawn') throw new AppError('parser.answer', 'never')
    return done.page
  }
  const close = async (): Promise<void> => {
    closed = true
    const all = [...busy, ...idle.keys()]
    for (const timer of idle.values()) clearTimeout(timer)
    idle.clear()
    await Promise.all(all.map((child) => child.close()))
  }
  return { read, draw, close }
}
