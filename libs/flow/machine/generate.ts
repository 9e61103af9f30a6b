import type { Result } from '../schema/task-table'
import type { Draft, Run } from '../schema/run'
import { draftMoves } from '../policy/policy'
import { affords } from './budgets'
import { draftFailed, fallback, giveUp, lastDraft, outOfBudget, release, releaseQuotes } from './endings'
import { draftIds, passedCount } from './evidence'
import { failedClaims, hasGroundedDraft, supportedClaims } from './grounding'
import { addEvent, change, type Move, open, type Transition } from './move'
import { refusedBy } from './reply'
import { keepsShown } from './show'
import { endWithoutWeb, lacksWeb } from './retry'

const fromLastCheck = ({ grading }: Run) => {
  if (!grading) return {}
  return { keep: supportedClaims(grading).map(({ text }) => text), avoid: failedClaims(grading) }
}

export const openDraft = (move: Move, guidance?: string): Move => {
  const draft = lastDraft(move.run).draft + 1
  // A draft that begins before the route is known may be dropped, and the next draft then gets the same number. The
  // suffix keeps their task ids apart.
  const id = `generate.${draft}${move.run.ahead === undefined ? '' : '.ahead'}`
  const opened = open(move, {
    id,
    kind: 'generate',
    openedAt: move.at,
    draft,
    ...fromLastCheck(move.run),
    ...(guidance && { guidance }),
  })
  return addEvent(opened, 'writing', { task: id, draft })
}

export const withoutEvidence = (move: Move): Move => {
  const { run } = move
  if (run.policy.noWeb !== 'go-on' && lacksWeb(run)) return endWithoutWeb(move)
  const isFound = run.steps.some(({ evidence }) => evidence.length > 0)
  return fallback(move, isFound ? 'unanswered.all-irrelevant' : 'unanswered.nothing-found')
}

export const write = (move: Move): Move => {
  const { run } = move
  const { policy } = run
  // Do not draft again from the same passages if the last draft is grounded (its claims are supported).
  if (hasGroundedDraft(run) && run.draft?.passed === passedCount(run)) return giveUp(move, 'ungrounded')
  if (!affords(run, draftMoves(policy))) return outOfBudget(move)
  const evidence = draftIds(run).length
  if (evidence === 0) return withoutEvidence(move)
  return policy.whenFew === 'fallback' && evidence < policy.minRelevant
    ? fallback(move, 'unanswered.too-little-found')
    : openDraft(move)
}

export const openCheck = (move: Move, draft: number): Move => {
  const id = `grade-answer.${draft}`
  return addEvent(open(move, { id, kind: 'grade-answer', openedAt: move.at, draft }), 'checking', { task: id, draft })
}

type Written = Pick<Draft, 'text' | 'citations' | 'workings' | 'quotes' | 'rows' | 'missing' | 'degraded'>

type DraftText = Exclude<Result<'generate'>, { outcome: 'refused' | 'distant' }>

const writtenIn = (result: DraftText): Written => {
  if (result.outcome === 'drafted') {
    const { text, citations, workings, quotes: rows } = result
    return { text, citations, ...(workings && { workings }), ...(rows && { rows }) }
  }
  const { quotes, missing, degraded } = result
  const citations = quotes.map(({ n, passageId }) => ({ n, passageId }))
  return { text: '', citations, quotes, ...(missing && { missing }), ...(degraded && { degraded }) }
}

export const storeDraft = (move: Move, draft: number, result: DraftText, passed = passedCount(move.run)): Move => {
  const written = writtenIn(result)
  const { degraded: _, rows: _rows, missing: _missing, ...shown } = written
  return addEvent(change(move, { draft: { draft, ...written, passed }, grading: undefined }), 'drafted', {
    draft,
    ...shown,
  })
}

export const generate: Transition<'generate'> = (move, task, result) => {
  const { draft } = task
  if (result.outcome === 'refused') return draftFailed(refusedBy(move, result.reason), draft, 'unanswered.refused')
  if (result.outcome === 'distant') return draftFailed(move, draft, 'unanswered.all-irrelevant')
  // A draft must continue the text that the asker has already read. Any other draft is an error and is not released.
  if (result.outcome === 'drafted' && !keepsShown(move.run, result))
    return draftFailed(move, draft, 'failed.not-written')
  const drafted = storeDraft(move, draft, result)
  if (move.run.policy.checkAnswer === 'on') return openCheck(drafted, draft)
  return result.outcome === 'quoted' ? releaseQuotes(drafted) : release(drafted, 'answered.unchecked', 'unchecked')
}
