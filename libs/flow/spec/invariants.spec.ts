import { isDeepStrictEqual } from 'node:util'
import type { Moved } from '..'
import { openJobs, type RunWithJobs } from '../machine/jobs'
import type { Run } from '../schema/run'
import { hidden } from './random-runs.spec'

export const must = (holds: boolean, what: string, seen?: unknown): void => {
  if (!holds) throw new Error(`${what} ${seen === undefined ? '' : JSON.stringify(seen)}`)
}

const staysWithinLimits = ({ policy, spent }: Run): void => {
  const { rewrites, webSearches, regenerations, augments, moves, apart = 0 } = spent
  const used = [
    [rewrites, policy.maxRewrites],
    [webSearches, policy.maxWebSearches],
    [regenerations, policy.maxRegenerations],
    [augments, policy.maxAugments],
    [moves, policy.maxMoves],
  ] as const
  must(
    used.every(([count, most]) => count >= 0 && count <= most),
    'A counter is below zero or above its limit.',
    spent,
  )
  must(
    policy.counters === 'separate' || rewrites + webSearches + regenerations + augments - apart <= policy.maxShared,
    'The shared limit is passed.',
    spent,
  )
  must(apart <= (policy.sharedFrom === 'draft' ? rewrites + webSearches : 0), 'A retry is not counted.', spent)
}

/** While a draft is written before its route is known, only the route and a search may be open beside it. */
const staysEarly = ({ open, steps, answer, grading }: Run): void => {
  const kinds = open.map(({ kind }) => kind).sort()
  must(new Set(kinds).size === kinds.length, 'An early task is open twice.', open)
  must(
    kinds.every((kind) => kind === 'route' || kind === 'research' || kind === 'generate'),
    'More than a search and a draft began early.',
    open,
  )
  must(steps.length === 1 && !answer && !grading, 'An early draft was checked or released.', steps)
}

const fansIn = (run: Run): void => {
  const { open, steps, policy, ahead, endedAt } = run
  must(steps.length <= policy.maxSteps, 'A plan has more steps than its policy allows.', steps)
  if (ahead !== undefined && endedAt === undefined) return staysEarly(run)
  const drafting = open.some(({ kind }) => kind === 'generate' || kind === 'grade-answer' || kind === 'review')
  must(
    !drafting || (open.length === 1 && steps.every(({ status }) => status === 'done')),
    'A draft is under way while research is.',
    open,
  )
}

const endsOnce = ({ run, events }: Moved): void => {
  const hasEnded = run.endedAt !== undefined
  must(hasEnded === (run.open.length === 0), 'A run has ended if and only if nothing is open.', run.open)
  must(events.filter(({ type }) => type === 'ended').length === (hasEnded ? 1 : 0), 'A run tells its end once.')
  must(
    (run.status === 'parked') === run.open.some(({ kind }) => kind === 'review'),
    'A run is parked if and only if its review is open.',
    run.status,
  )
}

/** Computed here a second time, because the core's own computation is under test. */
const isSupportedDraft = ({ grading, draft, policy }: Run, least = policy.parkBelow): boolean => {
  if (!grading || grading.draft !== draft?.draft || grading.claims.length === 0) return false
  const supported = grading.claims.filter(({ verdict }) => verdict === 'supported')
  const told = supported.map(({ passageId }) => passageId)
  return (
    supported.length / grading.claims.length >= least &&
    grading.claims.every(({ verdict }) => verdict !== 'contradicted') &&
    grading.claims.every(({ conflictsWith }) => conflictsWith === undefined || told.includes(conflictsWith))
  )
}

/**
 * Only a person may release a draft that the offline fallback checked, that has sensitive evidence from too few
 * documents, or that a rule holds.
 */
const isForAPerson = ({ grading, draft, steps, policy, hold }: Run): boolean => {
  const cited = steps
    .flatMap(({ evidence }) => evidence)
    .filter(({ id }) => draft?.citations.some(({ passageId }) => passageId === id))
  const isSensitive =
    cited.some(({ grade }) => grade?.sensitive === true) &&
    new Set(cited.map(({ documentId }) => documentId)).size < policy.sensitiveSources
  return (grading?.degraded ?? false) || isSensitive || hold?.reason !== undefined
}

const isLetOutByAPerson = ({ status, reason, draft, answer, hold }: Run): boolean =>
  (status !== 'answered' && hold?.reason === undefined) ||
  draft === undefined ||
  draft.editedBy !== undefined ||
  !answer?.text.includes(hidden) ||
  ['answered.decided', 'answered.edited', 'answered.kept', 'answered.review-overdue'].includes(reason ?? '')

/** Returns whether the answer consists of a fixed sentence and the quotes of the draft. */
const isQuoted = ({ answer, draft }: Run): boolean =>
  answer?.kind === 'quoted' &&
  answer.quotes !== undefined &&
  isDeepStrictEqual(answer.quotes, draft?.quotes) &&
  !answer.text.includes(hidden)

/** Returns whether the answer is the draft, or the draft without the sentences that its check removed. */
const isOfTheDraft = ({ answer, draft, grading }: Run): boolean =>
  answer?.text === (grading?.text ?? draft?.text) && isDeepStrictEqual(answer?.citations, draft?.citations)

const isFixed = ({ answer }: Run): boolean => answer?.quotes === undefined && !answer?.text.includes(hidden)

/** Returns whether a reviewer released the answer, in this run or in the earlier run that it is reused from. */
const isDecided = ({ decision, reason }: Run): boolean =>
  (decision?.action === 'approve' && reason === 'answered.decided') || reason === 'answered.kept'

const isMarked = ({ answer }: Run): boolean => answer?.caveat !== undefined

const isReleasedRightly = (run: Run): boolean => {
  const isShown = isQuoted(run) || isFixed(run) || (isOfTheDraft(run) && (isSupportedDraft(run) || isDecided(run)))
  switch (run.status) {
    case 'answered':
    case 'needs_input':
    case 'declined':
      return isShown || isMarked(run)
    case 'unanswered':
      return isShown
    default:
      return run.answer === undefined
  }
}

const holdsBack = ({ run, events }: Moved): void => {
  const shown = events.filter(({ type, audience }) => audience === 'asker' && type !== 'ended')
  must(!JSON.stringify(shown).includes(hidden), 'An asker is told what is held back.', shown)
  must(isReleasedRightly(run), 'A draft is released that is neither supported nor decided nor marked.', [
    run.status,
    run.reason,
    run.answer,
    run.grading,
  ])
}

/** Asserts, for runs under `heldPolicy`, that only a person can release an ungrounded draft, even with a caveat. */
export const releasesOnlyGrounded = (run: Run): void => {
  const { answer, reason } = run
  const stands = isOfTheDraft(run) && isSupportedDraft(run, 1)
  must(
    answer === undefined || isQuoted(run) || isFixed(run) || stands || (isOfTheDraft(run) && isDecided(run)),
    'A policy that holds let out what does not stand.',
    [reason, answer, run.grading],
  )
  must(!answer?.question?.includes(hidden), 'A policy that holds let a model ask in its own words.', answer)
}

const keepsForAPerson = (run: Run): void =>
  must(!isForAPerson(run) || isLetOutByAPerson(run), 'A draft goes out that only a person may let out.', [
    run.reason,
    run.grading,
  ])

const keepsOrder = ({ open, closed }: Run): void => {
  const ids = open.map(({ id }) => id)
  must(
    ids.every((id) => !(id in closed)),
    'A task is opened again.',
    ids,
  )
  must(isDeepStrictEqual(ids, [...new Set(ids)].sort()), 'Open tasks are out of order.', ids)
}

const byReviewer = ['answered.decided', 'answered.edited', 'answered.review-overdue']

/**
 * Asserts that text which was released before the whole answer never changes. The final answer begins with this text,
 * or an event reports that a reviewer replaced or rejected it. A run that was held releases no more such text.
 */
export const keepsText = (before: Run, { run, events }: Moved): void => {
  const told = (type: string): boolean => events.some((event) => event.type === type)
  const [was, is] = [before.shown?.text ?? '', run.shown?.text ?? '']
  must(is.startsWith(was), 'Released text changed.', [was, is])
  must(is === was || told('checked'), 'Text was released without an event.')
  const wasHeld = [...Object.keys(before.closed), ...before.open.map(({ id }) => id)].some((id) => /^review/.test(id))
  must(!told('checked') || (!wasHeld && !before.hold?.reason && before.class !== 'batch'), 'A held run released text.')
  must(!told('doubted') || run.status === 'parked', 'Doubted text did not hold the run.', run.status)
  must(run.reason !== 'rejected.decided' || told('ended') === false || is === '' || told('withdrawn'), 'Not withdrawn.')
  if (is === '' || run.answer === undefined || !told('ended')) return
  const keeps = run.answer.kind !== 'quoted' && run.answer.text.startsWith(is)
  const isByReviewer = byReviewer.includes(run.reason ?? '') || run.draft?.editedBy !== undefined
  must(keeps || (isByReviewer && told('corrected')), 'The answer lost released text.', [
    run.reason,
    run.answer.text,
    is,
  ])
}

/** Checks the invariants of every move. */
export const holds = (next: Moved): void => {
  const { run } = next
  staysWithinLimits(run)
  fansIn(run)
  endsOnce(next)
  holdsBack(next)
  keepsForAPerson(run)
  keepsOrder(run)
  const { id, open, turn } = run
  const stored = JSON.parse(JSON.stringify({ id, open, turn })) as RunWithJobs
  must(isDeepStrictEqual(openJobs(run), openJobs(stored)), 'The stored run has other jobs.')
}
