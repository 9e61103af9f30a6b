import type { LedgerEvent, ModelCall } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { bucketOf } from './time-buckets'

type MovedRun = { run: Run; events: LedgerEvent[] }
export type OnMoved = (moved: MovedRun) => void

type Count = (name: string, by?: number) => void
/** Costs are counted in integers, because the rounding errors of many small floats would add up. */
export const microcents = 1_000_000

export const failsItsCheck = (event: LedgerEvent): boolean =>
  event.type === 'answer-graded' && event.claims.some(({ verdict }) => verdict !== 'supported')

const countCall = ({ usage }: ModelCall, count: Count): void => {
  count('calls', Math.max(1, usage.calls))
  count('tokensIn', usage.tokensIn)
  count('tokensOut', usage.tokensOut)
  count('microcents', Math.round(usage.cents * microcents))
}

const wasHeld = ({ closed }: Run): boolean => Object.keys(closed).some((id) => id.startsWith('review.'))

/** Returns null for events after the first hold, because the time after that depends on the reviewers. */
export const timeOf = (run: Run, event: LedgerEvent): number | null =>
  (event.type === 'ended' || event.type === 'parked') && !wasHeld(run) ? event.at - run.createdAt : null

const isDegraded = ({ steps, draft, grading }: Run): boolean =>
  draft?.degraded === true || grading?.degraded === true || steps.some(({ degraded = [] }) => degraded.length > 0)

const countEnd = (run: Run, status: string, reason: string, count: Count): void => {
  count(`ended:${status}`)
  count(`reason:${reason}`)
  if (isDegraded(run)) count('degraded')
  if (wasHeld(run)) count('heldFirst')
  const { rewrites } = run.spent
  if (rewrites === 0) return
  count('withRewrite')
  if (status === 'answered') count('rewritesOfAnswered', rewrites)
}

export const countEvent = (run: Run, event: LedgerEvent, count: Count): void => {
  const ms = timeOf(run, event)
  if (ms !== null) count(bucketOf(ms))
  if (event.type === 'asked') count('asked')
  if (event.type === 'ended') countEnd(run, event.status, event.reason, count)
  if (event.type === 'parked') count(`parked:${event.reason}`)
  if (event.type === 'escalated') count('escalated')
  if (event.type === 'decided') count(`decided:${event.action}`)
  if (event.type === 'queried' && event.strategy) count(`strategy:${event.strategy}`)
  if (event.type === 'called') for (const call of event.calls) countCall(call, count)
  if (failsItsCheck(event)) count('groundingFailures')
}
