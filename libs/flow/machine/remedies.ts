import type { Policy } from '../policy/policy'
import type { Run, Step } from '../map/run'
import type { Failed } from '../map/task'
import { affords, draftMoves, tryMoves } from './budgets'
import { isWorthATry } from './depth'
import { stands } from './grounding'
import { left, spend } from './counters'
import type { Move } from './move'
import { openResearch } from './steps'

export type Remedy = Policy['whenPoor'] | Policy['whenNotUseful']

/** Another try must leave the moves that open and waiting tries need, and those of the draft after them. */
export const affordsTry = (run: Run): boolean => {
  const opened = run.open.filter(({ kind }) => kind === 'research').length
  const waiting = run.steps.filter(({ status }) => status === 'waiting').length
  return affords(run, (opened + waiting + 1) * tryMoves(run.policy) + draftMoves(run.policy)) && isWorthATry(run)
}

/** The same raw question brings the same pages: a second web try needs a rewritten one. */
export const wantsWeb = ({ policy }: Run, step: Step, how: Remedy): boolean =>
  (how === 'web' || how === 'rewrite-then-web') && (step.source === 'index' || policy.webQuery === 'rewritten')

export const remedyFor = (run: Run): Remedy => (stands(run) ? run.policy.whenNotUseful : run.policy.whenPoor)

/** The next thing to try for a step, paid for; null when there is none. */
export const remedied = (move: Move, step: Step, how: Remedy, failed: Failed): Move | null => {
  const { run } = move
  if (!affordsTry(run)) return null
  const why = `Step ${step.step}: ${failed.reason}`
  if ((how === 'rewrite' || how === 'rewrite-then-web') && !step.exhausted && left(run, 'rewrites') > 0)
    return openResearch(spend(move, 'rewrites', why), step, step.source, failed)
  if (run.webOn && wantsWeb(run, step, how) && left(run, 'webSearches') > 0)
    return openResearch(spend(move, 'webSearches', why), step, 'web', failed)
  return null
}
