import type { Run } from '../map/run'
import { affords, draftMoves } from './budgets'
import { fallback, giveUp, lastDraft, outOfBudget, release, unwritten } from './endings'
import { draftIds, passed } from './evidence'
import { stands } from './grounding'
import type { Move } from './move'
import { change, open, tell } from './move'
import { endWithoutWeb, lacksWeb } from './no-web'
import { refusedBy } from './reply'
import type { Transition } from './transition'

/** What the last check said about the last draft: what stood is kept, what did not is avoided. */
const lessons = ({ grading }: Run) => {
  if (!grading) return {}
  const counting = grading.claims.filter(({ kind }) => kind !== 'style')
  return {
    keep: counting.filter(({ verdict }) => verdict === 'supported').map(({ text }) => text),
    avoid: counting.filter(({ verdict }) => verdict !== 'supported'),
  }
}

export const openDraft = (move: Move, guidance?: string): Move => {
  const draft = lastDraft(move.run).draft + 1
  const id = `generate.${draft}`
  const opened = open(move, {
    id,
    kind: 'generate',
    openedAt: move.at,
    draft,
    ...lessons(move.run),
    ...(guidance && { guidance }),
  })
  return tell(opened, { type: 'writing', audience: 'asker', task: id, draft })
}

const withoutEvidence = (move: Move): Move => {
  const { policy } = move.run
  if (policy.noWeb !== 'go-on' && lacksWeb(move.run)) return endWithoutWeb(move)
  return policy.whenNothing === 'fallback' ? fallback(move, 'unanswered.nothing-found') : openDraft(move)
}

export const write = (move: Move): Move => {
  const { run } = move
  const { policy } = run
  // A draft that stands is not written anew from what it was written from.
  if (stands(run) && run.draft?.passed === passed(run)) return giveUp(move, 'ungrounded')
  if (!affords(run, draftMoves(policy))) return outOfBudget(move)
  const evidence = draftIds(run).length
  if (evidence === 0) return withoutEvidence(move)
  return policy.whenFew === 'fallback' && evidence < policy.minRelevant
    ? fallback(move, 'unanswered.too-little-found')
    : openDraft(move)
}

export const openCheck = (move: Move, draft: number): Move => {
  const id = `grade-answer.${draft}`
  return tell(open(move, { id, kind: 'grade-answer', openedAt: move.at, draft }), {
    type: 'checking',
    audience: 'asker',
    task: id,
    draft,
  })
}

export const generate: Transition<'generate'> = (move, task, result) => {
  const { draft } = task
  if (result.outcome === 'refused')
    return unwritten(refusedBy(move, result.reason), draft, 'unanswered', 'unanswered.refused')
  const { text, citations, workings } = result
  const written = { text, citations, ...(workings && { workings }) }
  const drafted = tell(change(move, { draft: { draft, ...written, passed: passed(move.run) }, grading: undefined }), {
    type: 'drafted',
    audience: 'desk',
    draft,
    ...written,
  })
  return move.run.policy.checkAnswer === 'on'
    ? openCheck(drafted, draft)
    : release(drafted, 'answered.unchecked', 'unchecked')
}
