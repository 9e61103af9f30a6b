import type { Grading, Run } from '../schema/run'
import { afterCheck } from './after-check'
import { lastDraft, park, releaseQuotes } from './endings'
import { groundingScore, isGrounded, isNotInDocuments, isUseful } from './grounding'
import { openLateGrades } from './late-grades'
import { markCitedPassages } from './marks'
import { addEvent, change, type Transition } from './move'
import { doubt, isDoubted } from './show'

const needsGrades = ({ policy, draft }: Run, grading: Grading): boolean =>
  draft?.editedBy === undefined &&
  !grading.degraded &&
  (!grading.evidence || !isGrounded(policy, grading) || isNotInDocuments(grading) || !isUseful(policy, grading))

export const gradeAnswer: Transition<'grade-answer'> = (move, _task, { outcome: _, ...result }) => {
  if (move.run.draft?.quotes) return openLateGrades(move) ?? releaseQuotes(move)
  const grading: Grading = { draft: lastDraft(move.run).draft, score: groundingScore(result), ...result }
  const marked = change(move, { grading, steps: markCitedPassages(move.run, result.evidence) })
  const graded = addEvent(marked, 'answer-graded', { ...grading })
  if (!grading.degraded && graded.run.draft?.editedBy === undefined && isDoubted(graded.run, grading))
    return park(doubt(graded), 'parked.doubted')
  const late = needsGrades(graded.run, grading) ? openLateGrades(graded) : null
  return late ?? afterCheck(graded, grading)
}
