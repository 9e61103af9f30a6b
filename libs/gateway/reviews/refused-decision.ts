import { type DecisionFault, type Moved, type Refused, reviewTask, type Run, type Stale } from '@plumbline/flow'
import { Refusal } from '../http/problem'
import type { Settings } from '../settings'

export const needsFourEyes = ({ fourEyes }: Settings, tenant: string): boolean =>
  fourEyes.includes('*') || fourEyes.includes(tenant)

const refusalOfDecision = (fault: DecisionFault, now: number): Refusal => {
  switch (fault.why) {
    case 'undone':
      return new Refusal('review-stale', 'This decision was undone. Decide again with another decisionId.')
    case 'pending': {
      const { by, decision, at } = fault.pending
      return new Refusal(
        'decision-pending',
        `${by} has already decided this draft: ${decision.action}. The decision takes effect in ${Math.ceil((at - now) / 1_000)} s.`,
      )
    }
    case 'second-approval-needed':
      return new Refusal(
        'second-approval-needed',
        'You have already approved this draft. Another person has to approve it too.',
      )
    case 'reason-needed':
      return new Refusal(
        'reason-needed',
        'The documents contradict a claim of this draft. To approve it, send the reason in one line as `note`.',
      )
    case 'unknown-passage':
      return new Refusal(
        'unknown-passage',
        `Citation ${fault.citation} names a passage that this run did not find. Cite a passage of the review's evidence.`,
      )
    case 'nothing-pending':
      return new Refusal(
        'review-stale',
        'There is no such pending decision: it has already taken effect, or it was never made.',
      )
    case 'not-yours':
      return new Refusal('forbidden', `Only ${fault.by} may undo this decision.`)
  }
}

/**
 * Throws if the decision is refused. Otherwise adds `before`, the deadline of the review, by which the change must be
 * stored.
 */
export const beforeDue = (run: Run, now: number, changed: Moved | Stale | Refused) => {
  if (changed.kind === 'refused') throw refusalOfDecision(changed.fault, now)
  const before = reviewTask(run)?.dueAt
  return changed.kind === 'stale' || before === undefined ? changed : { ...changed, before }
}
