import type { TaskKind } from '../map/outcomes'
import type { Run } from '../map/run'
import type { Task } from '../map/task'
import type { Move } from './move'
import { change, close, moving } from './move'

/** The door and the desk wait; every other task is a move of the machine. */
const takesMove = (kind: TaskKind): boolean => kind !== 'admit' && kind !== 'review'

/** The run as a closed task leaves it, before anything follows. */
export const closing = (run: Run, { id, kind }: Task, how: string, at: number): Move => {
  const move = close(moving(run, at, id), id, how)
  const { status, spent } = move.run
  const moves = spent.moves + (takesMove(kind) ? 1 : 0)
  return change(move, { status: kind === 'admit' ? status : 'running', spent: { ...spent, moves } })
}
