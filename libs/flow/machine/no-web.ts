import type { Run, Step } from '../map/run'
import { left } from './counters'
import { finish } from './endings'
import type { Move } from './move'
import { tell } from './move'
import type { Remedy } from './remedies'
import { wantsWeb } from './remedies'

/** The web would be next for this step, and it is off. */
export const misses = (run: Run, step: Step, how: Remedy): boolean =>
  !run.webOn && wantsWeb(run, step, how) && left(run, 'webSearches') > 0

export const lacksWeb = (run: Run): boolean => run.steps.some((step) => misses(run, step, run.policy.whenPoor))

export const noteNoWeb = (move: Move, instead: string): Move =>
  tell(move, { type: 'noted', audience: 'asker', note: `Web search is off: ${instead}.` })

export const endWithoutWeb = (move: Move): Move =>
  move.run.policy.noWeb === 'decline' ? finish(move, 'declined', 'declined.no-web') : finish(move, 'unanswered', 'unanswered.no-web')
