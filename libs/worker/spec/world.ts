import { advance, policyByName, start, type Run } from '@plumbline/flow'
import { silent } from '@plumbline/platform'
import { createMemoryJobQueue } from '@plumbline/ports/memory-job-queue'
import { memoryRunStore } from '@plumbline/ports/run-store/memory-run-store'
import type { StageHandler } from '../handler'
import {
  createClock,
  createIsolation,
  createInFlight,
  createLoop,
  createRunMutex,
  dispatch,
  moveRun,
  limitsOf,
  type Budget,
  type Delivery,
  type Disposition,
  type Observed,
  type Process,
} from '../index'

export const runId = 'rrrrrrrrrrrrrrrrrrrrrrrrr'
export const routeTask: Delivery = { runId, taskId: 'route' }

export const world = async () => {
  const store = memoryRunStore()
  const queue = createMemoryJobQueue()
  const observed: Observed[] = []
  const standard = policyByName('standard')
  if (!standard) throw new Error('no standard policy')
  const at = await store.now()
  const begun = start(
    { id: runId, tenant: 'default', lane: 'main', question: 'Why?', collections: ['default'], webOn: false, at },
    standard,
  )
  await store.create(begun.run, begun.events, 'body')
  const made = await moveRun(store, runId, (run, now) =>
    advance(run, { taskId: 'admit', kind: 'admit', at: now, result: { outcome: 'admitted' } }),
  )
  if (made.kind !== 'moved') throw new Error(made.kind)
  await dispatch({ store, queue }, made.before, made.after)

  const router = (
    route: StageHandler<'route'>,
    { budget, ...over }: Partial<Process> & { budget?: Budget } = {},
    through = store,
  ): ((delivery?: Delivery) => Promise<Disposition>) => {
    const idle = new AbortController().signal
    const process: Process = {
      isolation: createIsolation(),
      inFlight: createInFlight(),
      runMutex: createRunMutex(),
      clock: createClock(silent),
      draining: idle,
      ending: idle,
      storeRetryMs: 1_000,
      ...over,
    }
    const limits = { ...limitsOf('router'), backoffMs: 10 }
    const loop = createLoop({
      stage: 'router',
      handlers: { route },
      limits,
      store: through,
      queue,
      log: silent,
      process,
      ...(budget && { budget }),
      observe: (each) => observed.push(each),
    })
    return (delivery = routeTask) => loop(delivery)
  }
  const run = async (): Promise<Run> => {
    const loaded = await store.load(runId)
    if (!loaded) throw new Error('the run is gone')
    return loaded.run
  }
  const waiting = (): string[] => queue.waiting('main').map(({ data }) => data.taskId)
  const told = async (): Promise<string[]> => (await store.ledger(runId, null, 100)).map(({ event }) => event.type)
  return { store, queue, router, run, waiting, told, observed }
}

export const toResearch: StageHandler<'route'> = async () => ({
  outcome: 'research',
  logic: 'plain',
  collections: ['default'],
})
/** A handler that never returns, as after a crash of its process. */
export const crash: StageHandler<'route'> = () => new Promise(() => {})
