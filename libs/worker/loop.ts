import type { Run, Stage } from '@plumbline/flow'
import { inScope } from '@plumbline/platform/trace-scope'
import { newSpanId } from '@plumbline/platform/tracing/spans'
import type { Delivery, Disposition, LoopContext, LoopPorts } from './context'
import type { TaskSlot } from './isolation'
import { dispatchAll, uniqueId } from './move'
import type { RunLock } from './run-mutex'
import { createStoreRetry, StoreError } from './store-retry'
import { runTask } from './task'
import { inHop } from './trace-run'

/** After this many `begin` calls for one delivery, the job returns to the queue. */
const maxBegins = 5
const storeBackoffMs = 2_000

type Loop = (delivery: Delivery) => Promise<Disposition>
type Attempt = Disposition | 'again' | 'suspect'

/** Queues the run's jobs again. A process may have stored the run and then crashed before it queued the jobs. */
const heal = async (loop: LoopContext, run: Run): Promise<Disposition> => {
  await loop.retried(() => dispatchAll(loop, run))
  return { kind: 'done' }
}

const beginOnce = async (loop: LoopContext, delivery: Delivery, place: TaskSlot, lock: RunLock): Promise<Attempt> => {
  const { store, process, retried } = loop
  const { runId, taskId } = delivery
  const fence = uniqueId()
  const spanId = newSpanId()
  const begun = await retried(async () => {
    const before = Date.now()
    const answer = await store.begin(runId, taskId, fence, { isolated: place.alone, spanId })
    process.clock.saw(before, answer.now, Date.now())
    return answer
  })
  if (begun.kind === 'gone') return { kind: 'done' }
  if (begun.kind === 'closed') return heal(loop, begun.run)
  if (begun.kind === 'suspect') return 'suspect'
  lock.latest = { run: begun.run, version: begun.version }
  const task = begun.run.open.find(({ id }) => id === taskId)
  if (!task) return heal(loop, begun.run)
  if (process.clock.skewed || process.draining.aborted) {
    await retried(() => store.uncountStarts(runId, taskId, fence, 'own'))
    return process.draining.aborted ? { kind: 'back' } : { kind: 'later', inMs: storeBackoffMs }
  }
  const open = { ...begun, task, fence, lock, beganAt: performance.now() }
  return inHop(loop, open, { spanId, first: begun.first }, () => runTask(loop, open))
}

const deliver = async (loop: LoopContext, delivery: Delivery): Promise<Disposition> => {
  const { isolation, runMutex, draining, clock } = loop.process
  if (clock.skewed) return { kind: 'later', inMs: storeBackoffMs }
  const lock = runMutex.take(delivery.runId)
  let alone = false
  try {
    for (let begins = 0; begins < maxBegins; begins += 1) {
      const place = await isolation.enter(alone, draining)
      if (!place) return { kind: 'back' }
      try {
        const attempt = await beginOnce(loop, delivery, place, lock)
        if (typeof attempt === 'object') return attempt
        alone ||= attempt === 'suspect'
      } finally {
        place.leave()
      }
    }
    return { kind: 'later', inMs: storeBackoffMs }
  } finally {
    lock.leave()
  }
}

export const createLoop = <S extends Stage>({ handlers, ...ports }: LoopPorts<S>): Loop => {
  const { process, log, stage, store } = ports
  const retried = createStoreRetry(process.storeRetryMs, process.ending, (error) =>
    log.warn({ err: error, stage }, 'store or queue not responding: retrying'),
  )
  const retryingStore: LoopContext['retryingStore'] = {
    commit: (move) => retried(() => store.commit(move)),
    load: (id) => retried(() => store.load(id)),
    schedule: (ref, at) => retried(() => store.schedule(ref, at)),
  }
  const loop: LoopContext = { ...ports, handlers: handlers as LoopContext['handlers'], retried, retryingStore }
  const settled = async (delivery: Delivery): Promise<Disposition> => {
    try {
      return await deliver(loop, delivery)
    } catch (error) {
      if (!(error instanceof StoreError)) log.error({ err: error }, 'job failed before or after running its task')
      return process.draining.aborted ? { kind: 'back' } : { kind: 'later', inMs: storeBackoffMs }
    }
  }
  return ({ runId, taskId }) => inScope({ runId, taskId }, () => settled({ runId, taskId }))
}
