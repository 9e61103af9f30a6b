import type { Claim } from '@plumbline/contracts'
import type { Draft, EvidenceRow, Grading, Run } from '../schema/run'
import type { Policy } from '../policy/policy'
import { isSensitiveRow, isUnjudged } from './marks'
import { whenGraded } from './when-graded'

/** Returns supported claims ÷ all claims, and 0 without claims. */
export const groundingScore = ({ claims }: { claims: Claim[] }): number =>
  claims.length > 0 ? claims.filter(({ verdict }) => verdict === 'supported').length / claims.length : 0

export const isContradicted = ({ claims }: Grading): boolean => claims.some(({ verdict }) => verdict === 'contradicted')

/** Another passage gives another value for the same thing, and no supported claim cites that passage. */
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

/** The last draft is grounded, so any retry only looks for missing parts. */
export const hasGroundedDraft = ({ policy, grading }: Run): boolean =>
  grading !== undefined && isGrounded(policy, grading)

/** The draft only says that no passage answers the question. */
export const isNotInDocuments = ({ parts }: Grading): boolean =>
  parts.length > 0 && parts.every(({ outcome }) => outcome === 'not-in-documents')

export const isUseful = (policy: Policy, { parts, usefulness }: Grading): boolean =>
  (usefulness === undefined || usefulness >= policy.minUsefulness) && parts.every(({ outcome }) => outcome !== 'missed')

export const citedRows = ({ steps }: Run, { citations }: Draft): EvidenceRow[] => {
  const ids = new Set(citations.map(({ passageId }) => passageId))
  return steps.flatMap(({ evidence }) => evidence).filter(({ id }) => ids.has(id))
}
export const isSensitive = (run: Run, draft: Draft): boolean => citedRows(run, draft).some(isSensitiveRow)

/** A run that grades when needed releases nothing that neither a check nor a grader has judged. */
const maybeSensitive = (run: Run, draft: Draft): boolean =>
  isSensitive(run, draft) || (whenGraded(run) === 'when-needed' && citedRows(run, draft).some(isUnjudged))

/** The draft cites evidence that may be sensitive from fewer documents than the policy asks for. */
export const isShortOfSources = (run: Run, draft: Draft): boolean => {
  const documents = new Set(citedRows(run, draft).map(({ documentId }) => documentId)).size
  return documents < run.policy.sensitiveSources && maybeSensitive(run, draft)
}
