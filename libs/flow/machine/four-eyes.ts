import type { Decision } from '@plumbline/contracts'
import type { TaskOf } from '../schema/task'
import type { Approval } from '../schema/task-fields'

export const isRelease = ({ action }: Pick<Decision, 'action'>): boolean => action === 'approve' || action === 'edit'

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
 * Returns whether both are the same person. Compares the names, because a person may use several keys, or the keys if a
 * name is missing.
 */
export const isSamePerson = (one: string, other: string): boolean => {
  const [a, b] = [personOf(one), personOf(other)]
  return a.person !== undefined && b.person !== undefined ? a.person === b.person : a.key === b.key
}

export const approvalsOfRelease = ({ approvals = [] }: TaskOf<'review'>, decision: Decision): Approval[] => {
  const { action, text } = approvalOf(decision, '')
  return approvals.filter((one) => one.action === action && one.text === text)
}
