import { affords, draftMoves, tryMoves } from './budgets'
import { outOfBudget } from './endings'
import type { Move } from './move'
import { open, tell } from './move'
import { inOrder, roomForSteps, takeSteps } from './steps'
import type { Transition } from './transition'

export const openPlan = (move: Move): Move => {
  const { policy } = move.run
  const shortest = 1 + tryMoves(policy) + draftMoves(policy)
  return affords(move.run, shortest) ? open(move, { id: 'plan', kind: 'plan', openedAt: move.at }) : outOfBudget(move)
}

export const plan: Transition<'plan'> = (move, _task, result) => {
  const steps = inOrder(result.steps.slice(0, roomForSteps(move.run)))
  const cut = steps.length < result.steps.length ? ` Cut from ${result.steps.length} steps to ${steps.length}.` : ''
  const planned = tell(move, { type: 'planned', audience: 'asker', logic: `${result.logic}${cut}`, steps })
  return takeSteps(planned, steps, 'index')
}
