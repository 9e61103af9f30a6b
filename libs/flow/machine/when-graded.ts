import type { Run } from '../schema/run'
import { gradingOf, type GradeEvidence } from '../policy/policy'

/**
 * Returns when the run's evidence is graded. A run without a model grades first, because grading then costs no call. A
 * policy without a check grades first too, because only a check can say that grades are needed.
 */
export const whenGraded = ({ policy, gradesWhenNeeded, skills, route }: Run): GradeEvidence => {
  // A summary needs every passage of its document, so none is graded.
  if (route?.to === 'summarise') return 'off'
  if (!gradesWhenNeeded) return gradingOf(policy)
  return skills === 'offline' || policy.checkAnswer === 'off' ? 'first' : 'when-needed'
}

/** Grades evidence that is found after a draft, because the draft was not enough. */
export const isGradedNow = (run: Run): boolean => {
  const when = whenGraded(run)
  return when === 'first' || (when === 'when-needed' && run.draft !== undefined)
}
