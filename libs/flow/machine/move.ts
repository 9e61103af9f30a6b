import type { Evidence, LedgerEvent } from '@plumbline/contracts'
import type { Run } from '../map/run'
import type { Task } from '../map/task'

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

type Told<E = LedgerEvent> = E extends LedgerEvent ? Omit<E, 'at'> : never

export const stale: Stale = { kind: 'stale' }

export const moving = (run: Run, at: number, taskId?: string): Move => {
  const latest = Math.max(run.movedAt ?? run.createdAt, at)
  return { run: { ...run, movedAt: latest }, at, latest, events: [], evidence: [], ...(taskId && { taskId }) }
}

export const moved = ({ run, events, evidence }: Move): Moved => ({ kind: 'moved', run, events, evidence })

export const change = (move: Move, fields: Partial<Run>): Move => ({ ...move, run: { ...move.run, ...fields } })

/** An event names the task that reported, unless it tells of another. */
export const tell = (move: Move, event: Told): Move => {
  const { at, taskId } = move
  return { ...move, events: [...move.events, { ...(taskId && { task: taskId }), ...event, at } as LedgerEvent] }
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
