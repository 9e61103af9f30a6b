import type { ReviewAction } from '@plumbline/contracts'
import type { Result } from '../schema/task-table'
import type { Grading, Run } from '../schema/run'
import type { TaskOf } from '../schema/task'
import { draftMoves, tryMoves } from '../policy/policy'
import { movesLeft } from './budgets'
import { finish, lastDraft, release } from './endings'
import { draftIds } from './evidence'
import { openCheck, openDraft } from './generate'
import { isContradicted, isInConflict, isSensitive } from './grounding'
import { addEvent, change, type Move, type Transition } from './move'
import { augment } from './retry'
import { lookUp } from './steps'

const actions = {
  approved: 'approve',
  edited: 'edit',
  retry: 'retry',
  research: 'research',
  rejected: 'reject',
} as const

/** The number of tasks that each decision starts. These tasks count toward `maxMoves`; the decision itself does not. */
const needs: Record<ReviewAction, (run: Run) => number> = {
  approve: () => 0,
  reject: () => 0,
  edit: () => 1,
  retry: ({ policy }) => draftMoves(policy),
  research: ({ policy }) => tryMoves(policy) + draftMoves(policy),
}
const isPossible = (run: Run, action: ReviewAction): boolean =>
  movesLeft(run) >= needs[action](run) && (action !== 'retry' || draftIds(run).length > 0)

/** Returns the possible decisions. An asker may only retry or reject, because the asker has not seen the draft. */
export const decisionsFor = (run: Run): ReviewAction[] => {
  const task = run.open.find((open) => open.kind === 'review')
  if (!task) return []
  const offered: ReviewAction[] =
    task.decider === 'asker' ? ['retry', 'reject'] : ['approve', 'edit', 'retry', 'research', 'reject']
  return offered.filter((action) => isPossible(run, action))
}

const decided = (move: Move, task: TaskOf<'review'>, result: Result<'review'>): Move => {
  const { by, decisionId, note } = result
  const action = actions[result.outcome]
  const guidance = 'guidance' in result ? result.guidance : undefined
  const text = 'text' in result ? result.text : undefined
  const keep = 'keep' in result && result.keep
  const decision = {
    action,
    by,
    decisionId,
    ...(note && { note }),
    ...(guidance && { guidance }),
    ...(text && { text }),
  }
  const withDecision = addEvent(move, 'decided', { ...decision })
  const deadlineAt = move.at + move.run.policy.deadlineMs
  return change(withDecision, {
    decision: { taskId: task.id, decisionId, action, ...(keep && { keep }) },
    reason: undefined,
    deadlineAt,
    // If the run is held again, another reviewer may be assigned, because this reviewer may no longer take work.
    ...(move.run.autoAssigned && { assignee: undefined, autoAssigned: undefined }),
  })
}

type Edited = Extract<Result<'review'>, { outcome: 'edited' }>
const editDraft = (move: Move, { text, by: editedBy, ...result }: Edited): Move => {
  const { draft, citations: before } = lastDraft(move.run)
  const citations = result.citations ?? before
  return openCheck(
    change(move, { draft: { draft: draft + 1, text, citations, editedBy }, grading: undefined }),
    draft + 1,
  )
}

export const review: Transition<'review'> = (before, task, result) => {
  if (!isPossible(before.run, actions[result.outcome])) return null
  const move = decided(before, task, result)
  switch (result.outcome) {
    case 'approved':
      return release(move, 'answered.decided')
    case 'edited':
      return editDraft(move, result)
    case 'retry':
      return openDraft(move, result.guidance)
    case 'research':
      return move.run.steps.length > 0 ? augment(move, result.guidance) : lookUp(move, result.guidance)
    case 'rejected':
      return finish(move, 'rejected', 'rejected.decided')
  }
}

export const reviewTask = (run: Run): TaskOf<'review'> | undefined => run.open.find((task) => task.kind === 'review')

/** Quotes have no grading, because they are the words of the documents. */
const gradingOf = ({ grading, draft }: Run): Grading | undefined =>
  grading && grading.draft === draft?.draft && !draft.quotes ? grading : undefined

export const hasContradiction = (run: Run): boolean => {
  const grading = gradingOf(run)
  return grading !== undefined && isContradicted(grading)
}

/** The risk of the draft: up to 100 each for unsupported claims, a contradiction and sensitive evidence. */
const riskOf = (run: Run): number => {
  const grading = gradingOf(run)
  const unsupported = run.draft?.quotes ? 0 : Math.round(100 * (1 - (grading?.score ?? 0)))
  const isOpposed = grading !== undefined && (isContradicted(grading) || isInConflict(grading))
  const sensitive = run.draft !== undefined && isSensitive(run, run.draft)
  return unsupported + (isOpposed ? 100 : 0) + (sensitive ? 100 : 0)
}

/** The fields by which held drafts are counted, including `access`, because reviewers see only what they may read. */
export type ParkedGroup = {
  policy: string
  reason: string
  collections: string[]
  access?: Run['access']
  assignee?: string
  autoAssigned?: true
  escalated?: boolean
}
export type ParkedRow = {
  runId: string
  taskId: string
  question: string
  group: ParkedGroup
  decider: TaskOf<'review'>['decider']
  score: number | null
  risk: number
  contradicted?: boolean
  openedAt: number
  dueAt: number
  escalatedAt?: number
  actions: ReviewAction[]
}

export const parkedRow = (run: Run): ParkedRow | null => {
  const task = reviewTask(run)
  if (!task) return null
  const { id, question, policy, access, assignee, autoAssigned, reason = 'parked' } = run
  const collections = [...(run.route?.collections ?? run.collections)].sort()
  return {
    runId: id,
    taskId: task.id,
    question,
    group: {
      policy: policy.name,
      reason,
      collections,
      ...(access && { access }),
      ...(assignee !== undefined && { assignee }),
      ...(autoAssigned && { autoAssigned }),
      ...(task.escalatedAt !== undefined && { escalated: true }),
    },
    decider: task.decider,
    score: gradingOf(run)?.score ?? null,
    risk: riskOf(run),
    ...(hasContradiction(run) && { contradicted: true }),
    openedAt: task.openedAt,
    dueAt: task.dueAt,
    ...(task.escalatedAt !== undefined && { escalatedAt: task.escalatedAt }),
    actions: decisionsFor(run),
  }
}

/** Returns all found passages, even rejected ones, because the reviewer compares the draft with all of them. */
export const reviewPassages = (run: Run): string[] => [
  ...new Set([
    ...(run.draft?.citations.map((citation) => citation.passageId) ?? []),
    ...run.steps.flatMap((step) => step.evidence.map((row) => row.id)),
    ...run.steps.flatMap((step) => step.failed?.passageIds ?? []),
  ]),
]
