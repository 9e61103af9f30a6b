import { noUsage } from '@plumbline/contracts'
import type { Run } from '../schema/run'
import { gradingOf, type Policy } from '../policy/policy'
import { affords } from './budgets'
import { finish, outOfBudget } from './endings'
import { addEvent, type Move, type Moved, moved, moving, open, type Transition } from './move'
import { toResearch } from './steps'

export type StartAsk = Pick<
  Run,
  | 'id'
  | 'tenant'
  | 'lane'
  | 'question'
  | 'collections'
  | 'named'
  | 'webOn'
  | 'skills'
  | 'threadId'
  | 'inThread'
  | 'replaces'
  | 'filters'
  | 'access'
  | 'metadata'
  | 'hold'
  | 'deadline'
  | 'askedBy'
  | 'origin'
  | 'class'
  | 'turn'
> & {
  at: number
  deadlineMs?: number
  releaseBySentence?: 'off'
}

const noneSpent = { moves: 0, rewrites: 0, webSearches: 0, regenerations: 0, augments: 0 }

/** Stores `when-needed` as `on` plus a flag, because workers of the previous version know only `on`. */
const storedPolicy = (policy: Policy): Pick<Run, 'policy' | 'gradesWhenNeeded'> => {
  if (policy.gradeEvidence === 'off') return { policy }
  const needed = policy.gradeEvidence === 'when-needed'
  return { policy: { ...policy, gradeEvidence: 'on' }, ...(needed && { gradesWhenNeeded: true }) }
}

export const policyOf = ({ policy, gradesWhenNeeded }: Pick<Run, 'policy' | 'gradesWhenNeeded'>): Policy => ({
  ...policy,
  gradeEvidence: gradesWhenNeeded ? 'when-needed' : gradingOf(policy),
})

/** Creates a run and opens its task `admit`. No worker gets this task, because the gateway reports its result. */
export const start = ({ at, deadlineMs, releaseBySentence, ...ask }: StartAsk, named: Policy): Moved => {
  const changed = { ...(deadlineMs !== undefined && { deadlineMs }), ...(releaseBySentence && { releaseBySentence }) }
  // If nothing changes, the policy stays the same object, because its stored text is cached by object.
  const policy = Object.keys(changed).length === 0 ? named : { ...named, ...changed }
  const run: Run = {
    ...ask,
    webOn: ask.webOn && policy.maxWebSearches > 0,
    ...storedPolicy(policy),
    createdAt: at,
    deadlineAt: at + policy.deadlineMs,
    status: 'queued',
    open: [],
    closed: {},
    steps: [],
    spent: noneSpent,
    usage: noUsage,
  }
  const opened = open(moving(run, at, 'admit'), { id: 'admit', kind: 'admit', openedAt: at })
  return moved(addEvent(opened, 'asked', { question: run.question, policy: policy.name, ...run.origin }))
}

/** Opens the route task. The remaining budget must cover at least two tasks: the route and a reply. */
const openRoute = (move: Move): Move =>
  affords(move.run, 2) ? open(move, { id: 'route', kind: 'route', openedAt: move.at }) : outOfBudget(move)

export const admit: Transition<'admit'> = (move, _task, result) => {
  const { policy, inThread } = move.run
  // Only the router reads the thread. A question in a thread therefore always needs a route task, which makes the
  // question understandable without the thread.
  if (result.outcome === 'admitted')
    return policy.entry === 'route' || inThread !== undefined ? openRoute(move) : toResearch(move)
  const refused = addEvent(move, 'refused', { reason: result.reason })
  return finish(refused, 'declined', 'declined.refused')
}
