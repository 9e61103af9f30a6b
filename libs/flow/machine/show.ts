import type { Released } from '@plumbline/contracts'
import type { Policy } from '../policy/policy'
import type { Grading, Run, Shown } from '../schema/run'
import type { Task, TaskOf } from '../schema/task'
import { passingEvidence } from './evidence'
import { supportedClaims } from './grounding'
import { ruleHolds } from './hold'
import { isSensitiveRow } from './marks'
import { addEvent, change, type Move, type Moved, moved, moving, type Stale, stale } from './move'

export const checksAll = (policy: Policy): boolean =>
  policy.releaseBySentence === 'on' &&
  policy.checkAnswer === 'on' &&
  policy.parkBelow === 1 &&
  policy.drafts === 'one' &&
  policy.refineEvidence === 'off' &&
  policy.streamDrafts === 'off' &&
  policy.whenTooBroad === 'release' &&
  policy.whenParkedTooLong === 'refuse' &&
  (policy.whenSpent === 'park' || policy.whenSpent === 'fallback')

const routes: readonly string[] = ['research', 'web', 'continue']

const mayBeHeld = (run: Run, searched: string[]): boolean => {
  const named = run.steps.flatMap(({ evidence }) => evidence.flatMap(({ collection }) => collection ?? []))
  // Later searches may still find passages in each of the searched collections.
  return ruleHolds(run, () => [...named, ...searched]) !== undefined
}

const isFirstDraft = ({ draft, grading }: Run): boolean =>
  draft === undefined ||
  (draft.draft === 1 && grading === undefined && draft.quotes === undefined && draft.editedBy === undefined)

const wasParked = ({ closed }: Run): boolean => Object.keys(closed).some((id) => id.startsWith('review.'))

/**
 * Returns whether checked parts of the draft may be shown early, once the route is known. They may not if anything
 * except the check could still hold the answer for review.
 */
export const mayShowOnceRouted = (run: Run): boolean =>
  checksAll(run.policy) &&
  run.status === 'running' &&
  run.class !== 'batch' &&
  isFirstDraft(run) &&
  !wasParked(run) &&
  !mayBeHeld(run, run.route?.collections ?? run.collections) &&
  run.steps.every((step) => passingEvidence(run.policy, step).length === step.evidence.length) &&
  !run.steps.some(({ evidence }) => evidence.some(isSensitiveRow))

export const mayShow = (run: Run): boolean =>
  run.route !== undefined && routes.includes(run.route.to) && run.open.length === 1 && mayShowOnceRouted(run)

const isWriting = ({ draft }: Run, task: Task, text: string): task is TaskOf<'generate' | 'grade-answer'> =>
  task.kind === 'generate' ? draft === undefined : task.kind === 'grade-answer' && draft?.text.startsWith(text) === true

/** `from`: the length of the part that the asker has already read. */
export type ShowPart = Omit<Shown, 'doubted'> & { taskId: string; from: number; at: number }

export const show = (run: Run, { taskId, from, at, ...part }: ShowPart): Moved | Stale => {
  const task = run.open.find(({ id }) => id === taskId)
  const before = run.shown?.text ?? ''
  if (!task || !isWriting(run, task, part.text) || !mayShow(run)) return stale
  if (before.length !== from || part.text.length <= from || !part.text.startsWith(before)) return stale
  if (run.shown && run.shown.checkKey !== part.checkKey) return stale
  if (part.claims.some(({ verdict, conflictsWith }) => verdict !== 'supported' || conflictsWith !== undefined))
    return stale
  const { text, citations } = part
  const event = { draft: task.draft, from, text: text.slice(from), citations }
  return moved(addEvent(change(moving(run, at, taskId), { shown: part }), 'checked', event))
}

export const keepsShown = ({ shown }: Run, answer: Pick<Released, 'kind' | 'text'>): boolean =>
  !shown || (answer.kind !== 'quoted' && answer.text.startsWith(shown.text))

export const isDoubted = ({ shown }: Run, grading: Grading): boolean => {
  const supported = new Set(supportedClaims(grading).map(({ text }) => text))
  return shown !== undefined && shown.claims.some(({ text }) => !supported.has(text))
}

export const doubt = (move: Move): Move => {
  const { shown } = move.run
  return shown && !shown.doubted ? addEvent(change(move, { shown: { ...shown, doubted: true } }), 'doubted', {}) : move
}

export const takeBack = (move: Move, how: 'corrected' | 'withdrawn'): Move =>
  move.run.shown ? addEvent(move, how, {}) : move
