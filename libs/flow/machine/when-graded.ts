import type { Run } from '../schema/run'
import { gradingOf, type GradeEvidence } from '../policy/policy'

/**
 * A run without a model grades first, because this costs no call. A policy without a check too, because only a check
 * requests grades.
 */
export const whenGraded = ({ policy, gradesWhenNeeded, skills, route }: Run): GradeEvidence => {
  // A summary uses every passage of its document, so grading could exclude nothing.
  if (route?.to === 'summarise') return 'off'
  if (!gradesWhenNeeded) return gradingOf(policy)
  return skills === 'offline' || policy.checkAnswer === 'off' ? 'first' : 'when-needed'
}

/**
 * With `when-needed`, only evidence found after a draft is graded: that search means that the draft was not good
 * enough.
 */
export const isGradedNow = (run: Run): boolean => {
  const when = whenGraded(run)
  return when === 'first' || (when === 'when-needed' && run.draft !== undefined)
}
