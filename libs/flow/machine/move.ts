import { type Evidence, LedgerEvent } from '@plumbline/contracts'
import type { Result, TaskKind } from '../schema/task-table'
import type { Run } from '../schema/run'
import type { Task, TaskOf } from '../schema/task'
import type { Policy } from '../policy/policy'

/** `at`: the time of the current report. `latest`: the time of the latest report so far. */
export type Move = {
  run: Run
  taskId?: string
  at: number
  beganAt?: number
  latest: number
  events: LedgerEvent[]
  evidence: Evidence[]
}
export type Moved = { kind: 'moved'; run: Run; events: LedgerEvent[]; evidence: Evidence[] }
export type Stale = { kind: 'stale' }

export const stale: Stale = { kind: 'stale' }

export const moving = (run: Run, at: number, taskId?: string): Move => {
  const latest = Math.max(run.movedAt ?? run.createdAt, at)
  return { run: { ...run, movedAt: latest }, at, latest, events: [], evidence: [], ...(taskId && { taskId }) }
}

export const moved = ({ run, events, evidence }: Move): Moved => ({ kind: 'moved', run, events, evidence })

export const change = (move: Move, fields: Partial<Run>): Move => ({ ...move, run: { ...move.run, ...fields } })

type Fields<E> = Omit<E, 'type' | 'audience' | 'at'>
const audiences = new Map(LedgerEvent.options.map(({ shape }) => [shape.type.value, shape.audience.value]))

export const addEvent = <T extends LedgerEvent['type']>(
  move: Move,
  type: T,
  fields: Fields<Extract<LedgerEvent, { type: T }>>,
): Move => {
  const { at, taskId, beganAt } = move
  const isOwn = taskId !== undefined && !('task' in fields)
  // The cast is safe, because the event type determines the audience. The compiler cannot infer this.
  const event = {
    ...(taskId && { task: taskId }),
    ...(isOwn && beganAt !== undefined && { beganAt }),
    type,
    audience: audiences.get(type),
    ...fields,
    at,
  }
  return { ...move, events: [...move.events, event as unknown as LedgerEvent] }
}

/** Adds a task and sorts the open tasks by id, so that the order in which parallel tasks open does not matter. */
export const open = (move: Move, task: Task): Move =>
  change(move, { open: [...move.run.open, task].sort((a, b) => (a.id < b.id ? -1 : 1)) })

export const close = (move: Move, taskId: string, how: string): Move =>
  change(move, {
    open: move.run.open.filter(({ id }) => id !== taskId),
    closed: { ...move.run.closed, [taskId]: how },
  })

export const hasEnded = ({ endedAt }: Run): boolean => endedAt !== undefined

/** Applies the result of a task to the run. Returns null if the run cannot use the result. */
export type Transition<K extends TaskKind> = (move: Move, task: TaskOf<K>, result: Result<K>) => Move | null

const takesMove = (kind: TaskKind, { entry }: Policy): boolean =>
  kind !== 'admit' && kind !== 'review' && (kind !== 'route' || entry === 'route')

export const closeTask = (run: Run, { id, kind }: Task, how: string, at: number): Move => {
  const move = moving(run, at, id)
  const { open: tasks, closed, policy, status, spent } = run
  return change(move, {
    open: tasks.filter((task) => task.id !== id),
    closed: { ...closed, [id]: how },
    status: kind === 'admit' ? status : 'running',
    spent: takesMove(kind, policy) ? { ...spent, moves: spent.moves + 1 } : spent,
  })
}
