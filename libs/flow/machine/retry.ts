import type { Claim } from '@plumbline/contracts'
import type { Grading, Run, Step } from '../schema/run'
import type { Failed } from '../schema/task-fields'
import { draftMoves, type Policy, tryMoves } from '../policy/policy'
import { affords, isWorthRetrying, remaining, spend } from './budgets'
import { fallback, finish } from './endings'
import { passingEvidence, failureSummary } from './evidence'
import { replies } from './fixed-texts'
import { failedClaims, hasGroundedDraft } from './grounding'
import { addEvent, type Move } from './move'
import { openResearch } from './steps'

export type RetryRule = Policy['whenPoor'] | Policy['whenNotUseful']

export const affordsTry = (run: Run): boolean => {
  const opened = run.open.filter(({ kind }) => kind === 'research').length
  const waiting = run.steps.filter(({ status }) => status === 'waiting').length
  return affords(run, (opened + waiting + 1) * tryMoves(run.policy) + draftMoves(run.policy)) && isWorthRetrying(run)
}

const wantsWeb = ({ policy, draft }: Run, step: Step, how: RetryRule): boolean => {
  if (how !== 'web' && how !== 'rewrite-then-web') return false
  const isBounded = draft !== undefined || policy.sharedFrom === 'start'
  return step.source === 'index' || (policy.webQuery === 'rewritten' && isBounded)
}

export const retryRule = (run: Run): RetryRule =>
  hasGroundedDraft(run) ? run.policy.whenNotUseful : run.policy.whenPoor

export const retryStep = (move: Move, step: Step, how: RetryRule, failed: Failed): Move | null => {
  const { run } = move
  if (!affordsTry(run)) return null
  const why = `Step ${step.step}: ${failed.reason}`
  if ((how === 'rewrite' || how === 'rewrite-then-web') && !step.exhausted && remaining(run, 'rewrites') > 0)
    return openResearch(spend(move, 'rewrites', why), step, step.source, failed)
  if (run.webOn && wantsWeb(run, step, how) && remaining(run, 'webSearches') > 0)
    return openResearch(spend(move, 'webSearches', why), step, 'web', failed)
  return null
}

export const needsMissingWeb = (run: Run, step: Step, how: RetryRule): boolean =>
  !run.webOn && wantsWeb(run, step, how) && remaining(run, 'webSearches') > 0

export const lacksWeb = (run: Run): boolean => run.steps.some((step) => needsMissingWeb(run, step, run.policy.whenPoor))

export const noteNoWeb = (move: Move, what: string): Move =>
  addEvent(move, 'noted', { note: `Web search is off, so ${what} is not searched there.` })

export const endWithoutWeb = (move: Move): Move => {
  if (move.run.policy.noWeb !== 'decline') return fallback(move, 'unanswered.no-web')
  return finish(move, 'declined', 'declined.no-web', { kind: 'written', text: replies.noWeb, citations: [] })
}

const missedParts = (grading: Grading | undefined): string[] =>
  grading?.parts.filter(({ outcome }) => outcome === 'missed').map(({ what }) => what) ?? []

export const isMissed = (step: Step, grading: Grading | undefined): boolean =>
  missedParts(grading).some((what) => what === step.question || what === step.resolved)

const failedClaimReason = ({ verdict, text }: Claim): string =>
  `${verdict === 'supported' ? 'Another passage contradicts this' : 'Not supported'}: ${text}`

export const missingSummary = (grading: Grading): string =>
  [
    ...failedClaims(grading).map(failedClaimReason),
    ...missedParts(grading).map((what) => `Not answered: ${what}`),
    ...(grading.why ? [grading.why] : []),
  ].join(' ')

const stepToAugment = ({ steps, grading, policy }: Run): Step => {
  const cited = new Set((grading ? failedClaims(grading) : []).map(({ passageId }) => passageId))
  const weakest = steps.reduce((least, step) =>
    passingEvidence(policy, step).length < passingEvidence(policy, least).length ? step : least,
  )
  return steps.find((step) => isMissed(step, grading) || step.evidence.some(({ id }) => cited.has(id))) ?? weakest
}

export const augment = (move: Move, reason: string): Move => {
  const step = stepToAugment(move.run)
  return openResearch(move, step, step.source, { ...failureSummary(move.run.policy, step, reason), passageIds: [] })
}
