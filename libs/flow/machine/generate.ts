import type { Result } from '../map/outcomes'
import type { Draft, Run } from '../map/run'
import { affords, draftMoves } from './budgets'
import { fallback, giveUp, lastDraft, outOfBudget, release, releaseQuotes, unwritten } from './endings'
import { draftIds, passed } from './evidence'
import { fell, stands, stood } from './grounding'
import type { Move } from './move'
import { change, open, tell } from './move'
import { endWithoutWeb, lacksWeb } from './no-web'
import { refusedBy } from './reply'
import type { Transition } from './transition'

/** What the last check said about the last draft: what stood is kept, what did not is avoided. */
const lessons = ({ grading }: Run) => {
  if (!grading) return {}
  return { keep: stood(grading).map(({ text }) => text), avoid: fell(grading) }
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
  const { run } = move
  if (run.policy.noWeb !== 'go-on' && lacksWeb(run)) return endWithoutWeb(move)
  const isFound = run.steps.some(({ evidence }) => evidence.length > 0)
  return fallback(move, isFound ? 'unanswered.all-irrelevant' : 'unanswered.nothing-found')
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

type Written = Pick<Draft, 'text' | 'citations' | 'workings' | 'quotes'>

const writtenIn = (result: Exclude<Result<'generate'>, { outcome: 'refused' }>): Written => {
  if (result.outcome === 'drafted') {
    const { text, citations, workings } = result
    return { text, citations, ...(workings && { workings }) }
  }
  const { quotes } = result
  const citations = quotes.map(({ n, passageId }) => ({ n, passageId }))
  return { text: '', citations, quotes }
}

export const generate: Transition<'generate'> = (move, task, result) => {
  const { draft } = task
  if (result.outcome === 'refused') return unwritten(refusedBy(move, result.reason), draft, 'unanswered.refused')
  const written = writtenIn(result)
  const degraded = result.outcome === 'quoted' && result.degraded && { degraded: true }
  const drafted = tell(
    change(move, { draft: { draft, ...written, ...degraded, passed: passed(move.run) }, grading: undefined }),
    {
      type: 'drafted',
      audience: 'desk',
      draft,
      ...written,
    },
  )
  if (move.run.policy.checkAnswer === 'on') return openCheck(drafted, draft)
  return written.quotes ? releaseQuotes(drafted) : release(drafted, 'answered.unchecked', 'unchecked')
}
