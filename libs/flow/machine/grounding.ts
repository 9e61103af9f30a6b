import type { AnswerPart, Claim } from '@plumbline/contracts'
import type { Policy } from '../policy/policy'
import type { Draft, Grading, Run } from '../map/run'

/** Supported ÷ all claims. A draft without any stands only where the check found that it answers nothing: no claim for an answered part is no support. */
export const groundingScore = ({ claims, parts }: { claims: Claim[]; parts: AnswerPart[] }): number => {
  if (claims.length > 0) return claims.filter(({ verdict }) => verdict === 'supported').length / claims.length
  return parts.length > 0 && parts.every(({ outcome }) => outcome !== 'answered') ? 1 : 0
}

export const isContradicted = ({ claims }: Grading): boolean => claims.some(({ verdict }) => verdict === 'contradicted')

/** Two passages give different values for one thing, and a claim gives only one of them. */
export const isInConflict = ({ claims }: Grading): boolean =>
  claims.some(({ verdict, conflictsWith }) => verdict !== 'supported' && conflictsWith !== undefined)

export const isGrounded = (policy: Policy, grading: Grading): boolean =>
  grading.score >= policy.parkBelow && !isContradicted(grading)

/** The last draft stands: whatever is tried now is for what it lacks. */
export const stands = ({ policy, grading }: Run): boolean => grading !== undefined && isGrounded(policy, grading)

/** All it says is that the documents do not say; a claim that they do not is a claim that was checked. */
export const isNotInDocuments = ({ parts }: Grading): boolean =>
  parts.length > 0 && parts.every(({ outcome }) => outcome === 'not-in-documents')

export const isUseful = (policy: Policy, { parts, usefulness }: Grading): boolean =>
  (usefulness === undefined || usefulness >= policy.minUsefulness) && parts.every(({ outcome }) => outcome !== 'missed')

/** The documents a draft cites, where any of what it cites is graded sensitive. */
export const isShortOfSources = ({ policy, steps }: Run, { citations }: Draft): boolean => {
  const ids = new Set(citations.map(({ passageId }) => passageId))
  const rows = steps.flatMap(({ evidence }) => evidence).filter(({ id }) => ids.has(id))
  const documents = new Set(rows.map(({ documentId }) => documentId)).size
  return documents < (policy.sensitiveSources ?? 0) && rows.some(({ grade }) => grade?.sensitive)
}
