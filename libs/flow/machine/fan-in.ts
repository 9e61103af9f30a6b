import type { Run, Step } from '../map/run'
import type { Failed } from '../map/task'
import { write } from './generate'
import type { Move } from './move'
import { hasEnded } from './move'
import { misses, noteNoWeb } from './no-web'
import { remedied, remedyFor } from './remedies'
import { atWork, changeStep, openReady } from './steps'

type Poor = Step & { failed: Failed }

/** Poor is a step that is open while nothing is at work on it. */
const poorSteps = ({ steps }: Run): Poor[] =>
  steps.flatMap((step) => (step.status === 'open' && step.failed ? [{ ...step, failed: step.failed }] : []))

const giveRemedy = (move: Move, step: Poor): Move => {
  const { run } = move
  const how = remedyFor(run)
  const again = remedied(move, step, how, step.failed)
  if (again) return again
  const missed = misses(run, step, how) ? noteNoWeb(move, `step ${step.step}`) : move
  return changeStep(missed, step.step, { status: 'done' })
}

/**
 * The fan-in. Siblings report in any order, and the run must come out the same; so what they compete for (counters, moves) is handed
 * out only when none of them is at work, in the order of the steps. It costs waiting only where evidence is poor.
 */
export const settle = (move: Move): Move => {
  const ready = openReady(move)
  if (atWork(ready.run)) return ready
  const treated = openReady(poorSteps(ready.run).reduce(giveRemedy, { ...ready, at: ready.latest }))
  return hasEnded(treated.run) || atWork(treated.run) ? treated : write(treated)
}
