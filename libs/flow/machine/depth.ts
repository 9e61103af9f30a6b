import type { Run } from '../map/run'

/** Another try is followed by another draft. */
const ahead = 2

/** What was opened so far, each taking its share of the time and the money that went. */
const triesOf = ({ steps, draft }: Run): number => steps.reduce((sum, step) => sum + step.try, draft?.draft ?? 0)

/**
 * Depth by deadline and price: whether what is left will do for a try and its draft, going by what those so far have used. The time is
 * that of the report that came last, counted from when the run was asked or a person sent it back.
 */
export const isWorthATry = (run: Run): boolean => {
  const { policy, usage, deadlineAt, createdAt, movedAt = createdAt } = run
  if (policy.depth !== 'auto') return true
  const tries = Math.max(1, triesOf(run))
  const took = movedAt - (deadlineAt - policy.deadlineMs)
  return (
    (ahead * took) / tries <= deadlineAt - movedAt && (ahead * usage.cents) / tries <= policy.maxCents - usage.cents
  )
}
