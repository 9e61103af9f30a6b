import type { Step } from '../map/run'
import { finish } from './endings'
import { whatFailed } from './evidence'
import { write } from './generate'
import type { Move } from './move'
import { hasEnded } from './move'
import { remedied, wantsWeb } from './remedies'
import { atWork, changeStep, openReady } from './steps'

const giveRemedy = (move: Move, step: Step): Move => {
  const { run } = move
  if (hasEnded(run)) return move
  const { whenPoor, noWeb } = run.policy
  const again = remedied(move, step, whenPoor, step.failed ?? whatFailed(run.policy, step, 'The evidence is poor.'))
  if (again) return again
  if (run.webOn || noWeb === 'go-on' || !wantsWeb(run, step, whenPoor)) return changeStep(move, step.step, { status: 'done' })
  return noWeb === 'decline' ? finish(move, 'declined', 'declined.no-web') : finish(move, 'unanswered', 'unanswered.no-web')
}

/**
 * The fan-in. Siblings report in any order, and the run must come out the same; so what they compete for (counters, moves) is handed
 * out only when none of them is at work, in the order of the steps. It costs waiting only where evidence is poor.
 */
export const settle = (move: Move): Move => {
  const ready = openReady(move)
  if (atWork(ready.run)) return ready
  const poor = ready.run.steps.filter(({ status }) => status === 'open')
  const treated = openReady(poor.reduce(giveRemedy, { ...ready, at: ready.latest }))
  return hasEnded(treated.run) || atWork(treated.run) ? treated : write(treated)
}
