import type { Run } from '../schema/run'
import { gradingOf, type GradeEvidence } from '../policy/policy'

/**
 * Returns when the run's evidence is graded. A run without a model grades first, because grading without a model costs
 * no call. A policy without a check grades first too, because only a check can request grades.
 */
export const whenGraded = ({ policy, gradesWhenNeeded, skills, route }: Run): GradeEvidence => {
  // A summary uses every passage of its document, so grading could exclude nothing.
  if (route?.to === 'summarise') return 'off'
  if (!gradesWhenNeeded) return gradingOf(policy)
  return skills === 'offline' || policy.checkAnswer === 'off' ? 'first' : 'when-needed'
}

/**
 * Returns whether new evidence is graded at once. With `when-needed`, only evidence found after a draft is graded. A
 * search after a draft means that the draft was not good enough.
 */
export const isGradedNow = (run: Run): boolean => {
  const when = whenGraded(run)
  return when === 'first' || (when === 'when-needed' && run.draft !== undefined)
}
