import type { Run } from '@plumbline/flow'

export type Base = { run: Run; version: string }

export type RunLock = {
  latest: Base | null
  /** Runs the changes of one run one after another, so that tasks of this process do not conflict in the store. */
  alone<T>(move: () => Promise<T>): Promise<T>
  leave(): void
}
export type RunMutex = { take(runId: string): RunLock }

export const createRunMutex = (): RunMutex => {
  const locks = new Map<string, RunLock & { users: number }>()
  const open = (runId: string): RunLock & { users: number } => {
    let tail: Promise<unknown> = Promise.resolve()
    const lock = {
      latest: null,
      users: 0,
      alone: <T>(move: () => Promise<T>): Promise<T> => {
        const next = tail.then(move)
        tail = next.catch(() => {})
        return next
      },
      leave: () => {
        lock.users -= 1
        if (lock.users === 0) locks.delete(runId)
      },
    }
    locks.set(runId, lock)
    return lock
  }
  return {
    take: (runId) => {
      const lock = locks.get(runId) ?? open(runId)
      lock.users += 1
      return lock
    },
  }
}
