import type { Move } from './move'
import { open, tell } from './move'
import { affords } from './budgets'
import { finish, outOfBudget } from './endings'
import { openPlan } from './plan'
import { takeQuestion } from './steps'
import type { Transition } from './transition'

/** To be routed takes a move, and the shortest way on from there, a reply, another. */
const openRoute = (move: Move): Move =>
  affords(move.run, 2) ? open(move, { id: 'route', kind: 'route', openedAt: move.at }) : outOfBudget(move)

const enter = (move: Move): Move => {
  switch (move.run.policy.entry) {
    case 'route':
      return openRoute(move)
    case 'plan':
      return openPlan(move)
    case 'research':
      return takeQuestion(move)
  }
}

export const admit: Transition<'admit'> = (move, _task, result) => {
  if (result.outcome === 'admitted') return enter(move)
  const refused = tell(move, { type: 'refused', audience: 'asker', reason: result.reason })
  return finish(refused, 'declined', 'declined.refused')
}
