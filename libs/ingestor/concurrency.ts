import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { rejectOnAbort } from '@plumbline/platform'
import { tenantLimit } from '@plumbline/platform/tenant-limit'
import { type Process, Stopped } from '@plumbline/worker'

type Document = { tenant: string; controller: AbortController }

const lookEveryMs = 100

/**
 * Shares the slots among tenants. If another tenant waits, stops the newest document of a tenant that uses more than
 * half of the slots.
 */
export const fairShare = (atOnce: number, waitingTenants: () => Promise<string[]>) => {
  const limit = tenantLimit(atOnce)
  const inWork = new Set<Document>()
  let looking = false
  let last: { at: number; tenants: Promise<string[]> } | undefined

  /** Reads the queue at most every 100 ms. Otherwise, each document of a long queue would cause a read of the queue. */
  const tenantsInQueue = (): Promise<string[]> => {
    const now = performance.now()
    if (!last || now - last.at >= lookEveryMs) last = { at: now, tenants: waitingTenants() }
    return last.tenants
  }
  const othersWait = async (tenant: string): Promise<boolean> => (await tenantsInQueue()).some((one) => one !== tenant)
  const lastBeyondHalf = (): Document | undefined =>
    [...inWork].findLast(({ tenant }) => limit.hasMoreThanItsShare(tenant))
  const stopOneWhenOthersWait = async (): Promise<void> => {
    for (let last = lastBeyondHalf(); last; last = lastBeyondHalf()) {
      await sleep(lookEveryMs, undefined, { ref: false })
      // If the check fails, assume that no other tenant waits. The documents in progress then fail with the same error.
      const wanted = await othersWait(last.tenant).catch(() => false)
      if (wanted && inWork.size >= atOnce && limit.hasMoreThanItsShare(last.tenant))
        last.controller.abort(new Stopped('share'))
    }
    looking = false
  }
  return {
    enter: async (document: Document): Promise<(() => void) | null> => {
      const { tenant } = document
      if (limit.full(tenant) === 'tenant' && (await othersWait(tenant))) return null
      const leave = limit.take(tenant)
      inWork.add(document)
      if (!looking) {
        looking = true
        void stopOneWhenOthersWait()
      }
      return () => {
        inWork.delete(document)
        leave()
      }
    },
  }
}

type Waiter = { document: Document; open(): void }

/**
 * Limits how many large documents are processed at a time. If a tenant without a slot waits, stops the newest document
 * of a tenant that uses more than half of the slots.
 */
export const largeDocumentSlots = (atOnce: number) => {
  const inWork: Document[] = []
  const waiting: Waiter[] = []
  const countOf = (tenant: string): number => inWork.filter((one) => one.tenant === tenant).length

  const stopOne = (): void => {
    if (!waiting.some(({ document }) => countOf(document.tenant) === 0)) return
    if (inWork.some(({ controller }) => controller.signal.aborted)) return
    inWork.findLast(({ tenant }) => countOf(tenant) > Math.ceil(atOnce / 2))?.controller.abort(new Stopped('share'))
  }
  const letIn = (): void => {
    while (inWork.length < atOnce && waiting.length > 0) {
      const fewest = Math.min(...waiting.map(({ document }) => countOf(document.tenant)))
      const at = waiting.findIndex(({ document }) => countOf(document.tenant) === fewest)
      for (const { document, open } of waiting.splice(at, 1)) {
        inWork.push(document)
        open()
      }
    }
    stopOne()
  }
  const leaveOf = (document: Document) => (): void => {
    inWork.splice(inWork.indexOf(document), 1)
    letIn()
  }
  return {
    enter: (document: Document, signal: AbortSignal): Promise<(() => void) | null> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(null)
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(waiter), 1)
          resolve(null)
        }
        const waiter: Waiter = {
          document,
          open: () => {
            signal.removeEventListener('abort', giveUp)
            resolve(leaveOf(document))
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiting.push(waiter)
        letIn()
      }),
  }
}

const yielding = { waitMs: 250, lookEveryMs: 10, restTimes: 3, restMs: 1_000, recentMs: 2_000, spacingMs: 40 }

/**
 * Pauses indexing while questions are being answered, for up to 250 ms. For 2 s after that, also pauses in proportion
 * to `workedMs`.
 */
export const yieldToQuestions = (inFlight: Pick<Process['inFlight'], 'questionTasks'>) => {
  let questionAt = -Infinity
  let nextAt = -Infinity
  const asked = (): boolean => {
    const now = inFlight.questionTasks > 0
    if (now) questionAt = performance.now()
    return now
  }
  return async (workedMs: number, signal: AbortSignal): Promise<void> => {
    await nextTurn()
    for (let waited = 0; waited < yielding.waitMs && asked() && !signal.aborted; waited += yielding.lookEveryMs)
      await sleep(yielding.lookEveryMs)
    const now = performance.now()
    if (now - questionAt >= yielding.recentMs || signal.aborted) return
    const at = Math.max(now, nextAt)
    nextAt = at + yielding.spacingMs
    await sleep(Math.max(at - now, Math.min(workedMs * yielding.restTimes, yielding.restMs)))
  }
}

export const createMutex = () => {
  let last: Promise<unknown> = Promise.resolve()
  return async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const before = last
    const mine = Promise.withResolvers<void>()
    last = before.then(() => mine.promise)
    try {
      await rejectOnAbort(before, signal)
      return await work()
    } finally {
      mine.resolve()
    }
  }
}
