import type { Run } from '../schema/run'
import { gradingOf, type GradeEvidence } from '../policy/policy'

/**
 * Returns when the run grades its evidence. `when-needed` requires a model and a check; without either, the run grades
 * before the draft.
 */
export const whenGraded = ({ policy, gradesWhenNeeded, skills, route }: Run): GradeEvidence => {
  // A summary uses every passage of its document, so grading could exclude nothing.
  if (route?.to === 'summarise') return 'off'
  if (!gradesWhenNeeded) return gradingOf(policy)
  return skills === 'offline' || policy.checkAnswer === 'off' ? 'first' : 'when-needed'
}

/**
 * Returns whether new evidence is graded at once. With `when-needed`, this is so only after a draft that was not good
 * enough.
 */
export const isGradedNow = (run: Run): boolean => {
  const when = whenGraded(run)
  return when === 'first' || (when === 'when-needed' && run.draft !== undefined)
}
