import type { ReviewAction } from '@plumbline/contracts'
import type { Result } from '../map/outcomes'
import type { Run } from '../map/run'
import type { TaskOf } from '../map/task'
import { augment } from './augment'
import { draftMoves, movesLeft, tryMoves } from './budgets'
import { finish, lastDraft, release } from './endings'
import { draftIds } from './evidence'
import { openCheck, openDraft } from './generate'
import type { Move } from './move'
import { change, tell } from './move'
import { lookUp } from './steps'
import type { Transition } from './transition'

const actions = {
  approved: 'approve',
  edited: 'edit',
  retry: 'retry',
  research: 'research',
  rejected: 'reject',
} as const

/** A person's decision is no move of the machine, and no counter limits it; what it opens still takes moves. */
const needs: Record<ReviewAction, (run: Run) => number> = {
  approve: () => 0,
  reject: () => 0,
  edit: () => 1,
  retry: ({ policy }) => draftMoves(policy),
  research: ({ policy }) => tryMoves(policy) + draftMoves(policy),
}
/** Without evidence nothing can be written again. */
const isPossible = (run: Run, action: ReviewAction): boolean =>
  movesLeft(run) >= needs[action](run) && (action !== 'retry' || draftIds(run).length > 0)

/** What may be decided about a parked run now. An asker has not seen the draft, so only retry and end are offered. */
export const decisionsFor = (run: Run): ReviewAction[] => {
  const task = run.open.find(({ kind }) => kind === 'review')
  if (task?.kind !== 'review') return []
  const offered: ReviewAction[] =
    task.decider === 'asker' ? ['retry', 'reject'] : ['approve', 'edit', 'retry', 'research', 'reject']
  return offered.filter((action) => isPossible(run, action))
}

const decided = (move: Move, task: TaskOf<'review'>, result: Result<'review'>): Move => {
  const { by, decisionId, note } = result
  const action = actions[result.outcome]
  const guidance = 'guidance' in result ? result.guidance : undefined
  const said = { action, by, decisionId, ...(note && { note }), ...(guidance && { guidance }) }
  const told = tell(move, { type: 'decided', audience: 'desk', ...said })
  const deadlineAt = move.at + move.run.policy.deadlineMs
  return change(told, { decision: { taskId: task.id, decisionId, action }, reason: undefined, deadlineAt })
}

const editDraft = (move: Move, text: string, editedBy: string): Move => {
  const { draft, citations } = lastDraft(move.run)
  return openCheck(
    change(move, { draft: { draft: draft + 1, text, citations, editedBy }, grading: undefined }),
    draft + 1,
  )
}

export const review: Transition<'review'> = (before, task, result) => {
  if (!isPossible(before.run, actions[result.outcome])) return null
  const move = decided(before, task, result)
  switch (result.outcome) {
    case 'approved':
      return release(move, 'answered.decided')
    case 'edited':
      return editDraft(move, result.text, result.by)
    case 'retry':
      return openDraft(move, result.guidance)
    case 'research':
      return move.run.steps.length > 0 ? augment(move, result.guidance) : lookUp(move, result.guidance)
    case 'rejected':
      return finish(move, 'rejected', 'rejected.decided')
  }
}
