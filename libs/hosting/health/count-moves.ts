import type { LedgerEvent, ModelCall, Reason } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import { bucketOf } from './time-buckets'

type MovedRun = { run: Run; events: LedgerEvent[] }
export type OnMoved = (moved: MovedRun) => void

type Count = (name: string, by?: number) => void
/** Costs are counted in whole millionths of a cent, because sums of many small floats are inexact. */
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

/**
 * Returns the time from the question to the end of the run, or until the run is held for review. Returns null for a run
 * that was held earlier, because its time then depends on the reviewers.
 */
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

/** A run that searches more collections than this counts for none of them, because it says little about each. */
const mostCollections = 10
export const collectionsOf = ({ route, collections }: Run): string[] => {
  const names = route?.collections ?? collections
  return names.length <= mostCollections ? names : []
}

const notInDocuments = new Set<string>([
  'unanswered.not-in-documents',
  'unanswered.nothing-found',
  'unanswered.all-irrelevant',
  'unanswered.too-little-found',
  'unanswered.no-web',
] satisfies Reason[])

const lacksDocuments = ({ grading }: Run, reason: string): boolean =>
  notInDocuments.has(reason) || grading?.parts.some(({ outcome }) => outcome === 'not-in-documents') === true

export const countSearches = (run: Run, event: LedgerEvent, count: Count): void => {
  if (event.type === 'ended') {
    count('runs')
    if (lacksDocuments(run, event.reason)) count('missing')
  }
  if (event.type === 'researched' && event.source === 'index') count(event.found === 0 ? 'empty' : 'found')
  if (event.type === 'queried' && event.strategy) count(`tried:${event.strategy}`)
  if (event.type !== 'evidence-graded') return
  count('graded', event.grades.length)
  count('rejected', event.grades.length - event.relevant)
  const strategy = run.steps.find(({ step }) => step === event.step)?.strategies?.at(-1)
  if (event.try > 1 && event.relevant > 0 && strategy) count(`helped:${strategy}`)
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
