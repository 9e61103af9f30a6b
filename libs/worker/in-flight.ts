import type { RunStore } from '@plumbline/ports/run-store/run-store'

/**
 * Why a task is stopped. `share`: the import of a document is stopped, because its tenant uses more than its share of
 * the slots while another tenant waits.
 */
export type StopReason = 'closed' | 'drain' | 'timeout' | 'share'

export class Stopped extends Error {
  override readonly name = 'Stopped'
  constructor(readonly why: StopReason) {
    super(`stopped: ${why}`)
  }
}

type InFlightTask = {
  runId: string
  taskId: string
  since: number
  controller: AbortController
  /** True for the import of a document. All other entries are tasks of questions. */
  isDocument?: true
}

export type InFlight = {
  add(task: InFlightTask): () => void
  ofRun(runId: string): InFlightTask[]
  readonly size: number
  readonly questionTasks: number
  stopAll(why: StopReason): void
  /** Resolves to true as soon as no task is running, or to false after `limitMs`. */
  empty(limitMs: number): Promise<boolean>
}

export const createInFlight = (): InFlight => {
  const runs = new Map<string, Set<InFlightTask>>()
  const whenEmpty = new Set<() => void>()
  let size = 0
  let documents = 0
  return {
    get size() {
      return size
    },
    get questionTasks() {
      return size - documents
    },
    add: (task) => {
      const tasks = runs.get(task.runId) ?? new Set()
      runs.set(task.runId, tasks.add(task))
      size += 1
      if (task.isDocument) documents += 1
      return () => {
        if (!tasks.delete(task)) return
        if (tasks.size === 0) runs.delete(task.runId)
        size -= 1
        if (task.isDocument) documents -= 1
        if (size === 0) for (const wake of whenEmpty) wake()
      }
    },
    ofRun: (runId) => [...(runs.get(runId) ?? [])],
    stopAll: (why) => {
      for (const tasks of runs.values()) for (const { controller } of tasks) controller.abort(new Stopped(why))
    },
    empty: (limitMs) => {
      if (size === 0) return Promise.resolve(true)
      return new Promise((resolve) => {
        const end = (answer: boolean): void => {
          clearTimeout(timer)
          whenEmpty.delete(wake)
          resolve(answer)
        }
        const wake = (): void => end(true)
        const timer = setTimeout(() => end(false), limitMs)
        whenEmpty.add(wake)
      })
    },
  }
}

type Ports = { store: Pick<RunStore, 'subscribeClosed'>; inFlight: InFlight }

export const watchClosedTasks = ({ store, inFlight }: Ports): Promise<() => Promise<void>> =>
  store.subscribeClosed((runId, taskIds) => {
    for (const task of inFlight.ofRun(runId))
      if (taskIds.includes(task.taskId)) task.controller.abort(new Stopped('closed'))
  })
