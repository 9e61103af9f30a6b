import type { Claim } from '@plumbline/contracts'
import type { Draft, EvidenceRow, Grading, Run } from '../schema/run'
import type { Policy } from '../policy/policy'
import { isSensitiveRow, isUnjudged } from './marks'
import { whenGraded } from './when-graded'

export const groundingScore = ({ claims }: { claims: Claim[] }): number =>
  claims.length > 0 ? claims.filter(({ verdict }) => verdict === 'supported').length / claims.length : 0

export const isContradicted = ({ claims }: Grading): boolean => claims.some(({ verdict }) => verdict === 'contradicted')

const isOneSided = (claims: Claim[], { conflictsWith }: Claim): boolean =>
  conflictsWith !== undefined &&
  !claims.some(({ verdict, passageId }) => verdict === 'supported' && passageId === conflictsWith)

export const isInConflict = ({ claims }: Grading): boolean => claims.some((claim) => isOneSided(claims, claim))

const claimStands = (claims: Claim[], claim: Claim): boolean =>
  claim.verdict === 'supported' && !isOneSided(claims, claim)
export const supportedClaims = ({ claims }: Grading): Claim[] => claims.filter((claim) => claimStands(claims, claim))
export const failedClaims = ({ claims }: Grading): Claim[] => claims.filter((claim) => !claimStands(claims, claim))

export const isGrounded = (policy: Policy, grading: Grading): boolean =>
  grading.claims.length > 0 && grading.score >= policy.parkBelow && !isContradicted(grading) && !isInConflict(grading)

export const hasGroundedDraft = ({ policy, grading }: Run): boolean =>
  grading !== undefined && isGrounded(policy, grading)

export const isNotInDocuments = ({ parts }: Grading): boolean =>
  parts.length > 0 && parts.every(({ outcome }) => outcome === 'not-in-documents')

export const isUseful = (policy: Policy, { parts, usefulness }: Grading): boolean =>
  (usefulness === undefined || usefulness >= policy.minUsefulness) && parts.every(({ outcome }) => outcome !== 'missed')

export const citedRows = ({ steps }: Run, { citations }: Draft): EvidenceRow[] => {
  const ids = new Set(citations.map(({ passageId }) => passageId))
  return steps.flatMap(({ evidence }) => evidence).filter(({ id }) => ids.has(id))
}
export const isSensitive = (run: Run, draft: Draft): boolean => citedRows(run, draft).some(isSensitiveRow)

/**
 * Returns whether the draft may cite a sensitive passage. If `gradeEvidence` is `when-needed`, a cited passage without
 * a grade and without a mark counts as sensitive.
 */
const maybeSensitive = (run: Run, draft: Draft): boolean =>
  isSensitive(run, draft) || (whenGraded(run) === 'when-needed' && citedRows(run, draft).some(isUnjudged))

export const isShortOfSources = (run: Run, draft: Draft): boolean => {
  const documents = new Set(citedRows(run, draft).map(({ documentId }) => documentId)).size
  return documents < run.policy.sensitiveSources && maybeSensitive(run, draft)
}
