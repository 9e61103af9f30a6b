import type { Run, Step } from '../map/run'
import { left } from './counters'
import { fallback, finish } from './endings'
import type { Move } from './move'
import { tell } from './move'
import type { Remedy } from './remedies'
import { wantsWeb } from './remedies'
import { replies } from './words'

/** The web would be next for this step, and it is off. */
export const misses = (run: Run, step: Step, how: Remedy): boolean =>
  !run.webOn && wantsWeb(run, step, how) && left(run, 'webSearches') > 0

export const lacksWeb = (run: Run): boolean => run.steps.some((step) => misses(run, step, run.policy.whenPoor))

export const noteNoWeb = (move: Move, what: string): Move =>
  tell(move, { type: 'noted', audience: 'asker', note: `Web search is off: ${what} is not looked up there.` })

export const endWithoutWeb = (move: Move): Move => {
  if (move.run.policy.noWeb !== 'decline') return fallback(move, 'unanswered.no-web')
  return finish(move, 'declined', 'declined.no-web', { kind: 'written', text: replies.noWeb, citations: [] })
}
