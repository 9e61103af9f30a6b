import type { Run, Stage } from '@plumbline/flow'
import type { Delivery, Disposition } from '../delivery'
import type { Place } from '../gate/gate'
import { mark } from '../mark'
import type { Turn } from '../move/turns'
import { dispatchAll } from '../move/dispatch'
import { createPatience, StoreError } from '../patience/patience'
import type { LoopContext, LoopPorts } from './context'
import { runTask, type OpenTask } from './task'
import { anyHandler } from './work'

/** How often one delivery may begin again before it goes back to the queue. */
const maxBegins = 5
const storeBackoffMs = 2_000

/** Begin, handle, advance, commit, dispatch: the one way a delivery goes. */
type Loop = (delivery: Delivery) => Promise<Disposition>
type Attempt = Disposition | 'again' | 'suspect'

const handlersOf = (handlers: object): LoopContext['handlers'] =>
  Object.fromEntries(Object.entries(handlers).map(([kind, handler]) => [kind, anyHandler(handler)]))

/** A closed task's delivery heals what a crash between commit and dispatch left undone, then is acknowledged. */
const heal = async (loop: LoopContext, run: Run): Promise<Disposition> => {
  await loop.patiently(() => dispatchAll(loop, run))
  return { kind: 'done' }
}

const beginOnce = async (loop: LoopContext, delivery: Delivery, place: Place, turn: Turn): Promise<Attempt> => {
  const { store, process, patiently } = loop
  const { runId, taskId } = delivery
  const fence = mark()
  const begun = await patiently(async () => {
    const before = Date.now()
    const answer = await store.begin(runId, taskId, fence, { isolated: place.alone })
    process.clock.saw(before, answer.now, Date.now())
    return answer
  })
  if (begun.kind === 'gone') return { kind: 'done' }
  if (begun.kind === 'closed') return heal(loop, begun.run)
  if (begun.kind === 'suspect') return 'suspect'
  turn.latest = { run: begun.run, version: begun.version }
  const task = begun.run.open.find(({ id }) => id === taskId)
  if (!task) return heal(loop, begun.run)
  const opened: OpenTask = {
    ...begun,
    task,
    fence,
    turn,
    redelivered: delivery.redelivered,
    beganAt: performance.now(),
  }
  if (process.clock.skewed || process.draining.aborted) {
    await patiently(() => store.uncountStart(runId, taskId, fence))
    return process.draining.aborted ? { kind: 'back' } : { kind: 'later', inMs: storeBackoffMs }
  }
  return runTask(loop, opened)
}

const deliver = async (loop: LoopContext, delivery: Delivery): Promise<Disposition> => {
  const { gate, turns, draining, clock } = loop.process
  if (clock.skewed) return { kind: 'later', inMs: storeBackoffMs }
  const turn = turns.take(delivery.runId)
  let alone = delivery.redelivered
  try {
    for (let begins = 0; begins < maxBegins; begins += 1) {
      const place = await gate.enter(alone, draining)
      if (!place) return { kind: 'back' }
      try {
        const attempt = await beginOnce(loop, delivery, place, turn)
        if (typeof attempt === 'object') return attempt
        if (attempt === 'suspect') alone = true
      } finally {
        place.leave()
      }
    }
    return { kind: 'later', inMs: storeBackoffMs }
  } finally {
    turn.leave()
  }
}

export const createLoop = <S extends Stage>({ handlers, ...ports }: LoopPorts<S>): Loop => {
  const { process, log, stage, store } = ports
  const patiently = createPatience(process.patienceMs, process.ending, (error) =>
    log.warn({ err: error, stage }, 'the store or the queue does not answer; trying again'),
  )
  const patientStore: LoopContext['patientStore'] = {
    commit: (move) => patiently(() => store.commit(move)),
    load: (id) => patiently(() => store.load(id)),
  }
  const loop: LoopContext = { ...ports, handlers: handlersOf(handlers), patiently, patientStore }
  return async (delivery) => {
    try {
      return await deliver(loop, delivery)
    } catch (error) {
      if (!(error instanceof StoreError))
        log.error({ err: error, ...delivery }, 'a delivery failed outside of its task')
      return process.draining.aborted ? { kind: 'back' } : { kind: 'later', inMs: storeBackoffMs }
    }
  }
}
