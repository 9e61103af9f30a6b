import type { Decision } from '@plumbline/contracts'
import type { Approval, TaskOf } from '@plumbline/flow'
import type { GatewayPorts } from '../ports'

/** Returns whether a tenant's releases need the approval of two people. */
export const needsFourEyes = ({ fourEyes }: GatewayPorts['settings'], tenant: string): boolean =>
  fourEyes.includes('*') || fourEyes.includes(tenant)

/** Returns a release as an approval. */
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
/** Returns whether two actors are one person. A name is one person, whichever key uses it. A key without a name may be anyone. */
export const isSamePerson = (one: string, other: string): boolean => {
  const [a, b] = [personOf(one), personOf(other)]
  return a.person !== undefined && b.person !== undefined ? a.person === b.person : a.key === b.key
}

/** Returns the approvals of exactly the same release. */
export const approvalsOfRelease = ({ approvals = [] }: TaskOf<'review'>, decision: Decision): Approval[] => {
  const { action, text } = approvalOf(decision, '')
  return approvals.filter((one) => one.action === action && one.text === text)
}
