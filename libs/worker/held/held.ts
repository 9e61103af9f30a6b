/** Why a handler is told to stop. */
export type StopReason = 'closed' | 'drain' | 'timeout'

export class Stopped extends Error {
  override readonly name = 'Stopped'
  constructor(readonly why: StopReason) {
    super(`stopped: ${why}`)
  }
}

type HeldTask = { runId: string; taskId: string; since: number; controller: AbortController }

/** The tasks this process is working on. */
export type Held = {
  add(task: HeldTask): () => void
  ofRun(runId: string): HeldTask[]
  readonly size: number
  stopAll(why: StopReason): void
  /** Resolves when nothing is held, true, or when the time is over, false. */
  empty(limitMs: number): Promise<boolean>
}

export const createHeld = (): Held => {
  const runs = new Map<string, Set<HeldTask>>()
  const whenEmpty = new Set<() => void>()
  let size = 0
  return {
    get size() {
      return size
    },
    add: (task) => {
      const tasks = runs.get(task.runId) ?? new Set()
      runs.set(task.runId, tasks.add(task))
      size += 1
      return () => {
        if (!tasks.delete(task)) return
        if (tasks.size === 0) runs.delete(task.runId)
        size -= 1
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
