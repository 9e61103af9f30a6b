import type { Run } from '@plumbline/flow'

export type Base = { run: Run; version: string }

/** One run as the tasks of this process share it: its newest known state, and one move at a time. */
export type Turn = {
  latest: Base | null
  /** Moves of one run made in this process wait for each other instead of racing in the store. */
  alone<T>(move: () => Promise<T>): Promise<T>
  leave(): void
}
export type Turns = { take(runId: string): Turn }

export const createTurns = (): Turns => {
  const turns = new Map<string, Turn & { users: number }>()
  const open = (runId: string): Turn & { users: number } => {
    let tail: Promise<unknown> = Promise.resolve()
    const turn = {
      latest: null,
      users: 0,
      alone: <T>(move: () => Promise<T>): Promise<T> => {
        const next = tail.then(move)
        tail = next.catch(() => {})
        return next
      },
      leave: () => {
        turn.users -= 1
        if (turn.users === 0) turns.delete(runId)
      },
    }
    turns.set(runId, turn)
    return turn
  }
  return {
    take: (runId) => {
      const turn = turns.get(runId) ?? open(runId)
      turn.users += 1
      return turn
    },
  }
}
