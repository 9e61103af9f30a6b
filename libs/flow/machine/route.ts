import type { RouteTo } from '@plumbline/contracts'
import type { Run } from '../map/run'
import { affords } from './budgets'
import { finish, outOfBudget } from './endings'
import type { Move } from './move'
import { change, open, tell } from './move'
import { openPlan } from './plan'
import { takeQuestion } from './steps'
import type { Transition } from './transition'

export const routed = (move: Move, to: RouteTo, logic: string, collections: string[]): Move =>
  tell(change(move, { route: { to, logic, collections }, collections }), { type: 'routed', audience: 'asker', to, logic, collections })

export const toResearch = (move: Move, simple = false): Move => {
  const { plan } = move.run.policy
  return plan === 'never' || (plan === 'when-complex' && simple) ? takeQuestion(move) : openPlan(move)
}

/** A router narrows what a run may read; it never widens it. */
const narrowed = ({ collections }: Run, wanted: string[]): string[] => {
  const both = collections.filter((collection) => wanted.includes(collection))
  return both.length > 0 ? both : collections
}

const toWeb = (move: Move, logic: string): Move => {
  const { webOn, policy, collections } = move.run
  const told = (note: string): Move => routed(move, 'web', `${logic}${note}`, collections)
  if (webOn) return takeQuestion(told(''), 'web')
  switch (policy.noWeb) {
    case 'go-on':
      return toResearch(told(' Web search is off: the documents are searched instead.'))
    case 'decline':
      return finish(told(''), 'declined', 'declined.no-web')
    case 'unanswered':
      return finish(told(''), 'unanswered', 'unanswered.no-web')
  }
}

const toReply = (move: Move, to: 'general' | 'clarify', logic: string): Move =>
  affords(move.run, 1) ? open(move, { id: 'reply.1', kind: 'reply', openedAt: move.at, to, logic }) : outOfBudget(move)

export const route: Transition<'route'> = (move, _task, result) => {
  const { logic } = result
  const { collections } = move.run
  switch (result.outcome) {
    case 'research':
      return toResearch(routed(move, 'research', logic, narrowed(move.run, result.collections)), result.simple)
    case 'web':
      return toWeb(move, logic)
    case 'reply':
      return toReply(routed(move, 'reply', logic, collections), 'general', logic)
    case 'clarify':
      return toReply(routed(move, 'clarify', logic, collections), 'clarify', logic)
    case 'decline':
      return finish(routed(move, 'decline', logic, collections), 'declined', 'declined.out-of-scope')
  }
}
