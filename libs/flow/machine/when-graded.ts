import type { Run } from '../schema/run'
import { gradingOf, type GradeEvidence } from '../policy/policy'

export const whenGraded = ({ policy, gradesWhenNeeded, skills, route }: Run): GradeEvidence => {
  // A summary uses every passage of its document, so grading the passages would change nothing.
  if (route?.to === 'summarise') return 'off'
  if (!gradesWhenNeeded) return gradingOf(policy)
  return skills === 'offline' || policy.checkAnswer === 'off' ? 'first' : 'when-needed'
}

export const isGradedNow = (run: Run): boolean => {
  const when = whenGraded(run)
  return when === 'first' || (when === 'when-needed' && run.draft !== undefined)
}
