import { type Evidence, LedgerEvent } from '@plumbline/contracts'
import type { Result, TaskKind } from '../map/outcomes'
import type { Run } from '../map/run'
import type { Task, TaskOf } from '../map/task'
import type { Policy } from '../policy/policy'

/** A move under way. `at` is its report's time; `latest` the latest time the run has heard of, whatever order reports came in. */
export type Move = {
  run: Run
  taskId?: string
  at: number
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

/** An event names the task that reported, unless it tells of another. */
export const addEvent = <T extends LedgerEvent['type']>(
  move: Move,
  type: T,
  fields: Fields<Extract<LedgerEvent, { type: T }>>,
): Move => {
  const { at, taskId } = move
  // The audience is looked up by the type, where the compiler cannot follow.
  const event = { ...(taskId && { task: taskId }), type, audience: audiences.get(type), ...fields, at }
  return { ...move, events: [...move.events, event as unknown as LedgerEvent] }
}

/** Open tasks stand in the order of their ids, so that it does not show which sibling opened first. */
export const open = (move: Move, task: Task): Move =>
  change(move, { open: [...move.run.open, task].sort((a, b) => (a.id < b.id ? -1 : 1)) })

export const close = (move: Move, taskId: string, how: string): Move =>
  change(move, {
    open: move.run.open.filter(({ id }) => id !== taskId),
    closed: { ...move.run.closed, [taskId]: how },
  })

export const hasEnded = ({ endedAt }: Run): boolean => endedAt !== undefined

/** What a report does to its run; null where the run has no place for it any more. The task is closed already. */
export type Transition<K extends TaskKind> = (move: Move, task: TaskOf<K>, result: Result<K>) => Move | null

/**
 * Every task of a worker is a move, except the route under a policy that is entered elsewhere: it only makes a follow-up stand alone, and a
 * follow-up must not need more moves than a first question.
 */
const takesMove = (kind: TaskKind, { entry }: Policy): boolean =>
  kind !== 'admit' && kind !== 'review' && (kind !== 'route' || entry === 'route')

/** The run as a closed task leaves it, before anything follows. */
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
