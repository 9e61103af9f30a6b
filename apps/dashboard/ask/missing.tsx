import { ProblemError } from '@plumbline/client'
import { Link } from 'wouter'

export const isMissing = (error: unknown): boolean => error instanceof ProblemError && error.problem.status === 404

/**
 * Shows the same text for a deleted question and for another person's question, so that a link does not reveal whether
 * a question exists.
 */
export const Missing = () => (
  <div className="problem" role="alert">
    <b>You cannot see this question</b>
    <p>
      The question was deleted, or your key has no access to it. Ask the person who sent you the link, or{' '}
      <Link href="/">ask it yourself</Link>.
    </p>
  </div>
)
