import type { Decision } from '@plumbline/contracts'
import type { Approval, TaskOf } from '@plumbline/flow'
import type { GatewayPorts } from '../ports'

/** Returns whether a tenant requires two people to approve the release of a draft. */
export const needsFourEyes = ({ fourEyes }: GatewayPorts['settings'], tenant: string): boolean =>
  fourEyes.includes('*') || fourEyes.includes(tenant)

/** Converts a decision that releases a draft to an approval. */
export const approvalOf = (decision: Decision, by: string): Approval => {
  const { decisionId } = decision
  return decision.action === 'edit'
    ? { by, decisionId, action: 'edit', text: decision.text }
    : { by, decisionId, action: 'approve' }
}

const personOf = (who: string): { person: string | undefined; key: string } => {
  const [, person, key = who] = /^(\S+) as named by (\S+)$/.exec(who) ?? []
  return { person, key }
}
/**
 * Returns whether two actors are the same person. Actors with the same person name are the same, whichever keys they
 * use. If one actor has no person name, actors with the same key are the same.
 */
export const isSamePerson = (one: string, other: string): boolean => {
  const [a, b] = [personOf(one), personOf(other)]
  return a.person !== undefined && b.person !== undefined ? a.person === b.person : a.key === b.key
}

/** Returns the earlier approvals with the same action and text as this decision. */
export const approvalsOfRelease = ({ approvals = [] }: TaskOf<'review'>, decision: Decision): Approval[] => {
  const { action, text } = approvalOf(decision, '')
  return approvals.filter((one) => one.action === action && one.text === text)
}
