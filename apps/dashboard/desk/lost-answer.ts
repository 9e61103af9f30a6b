import { Unreachable } from '@plumbline/client'

/**
 * Returns whether no gateway answered, so that the same request may be sent again. A gateway of another version did answer: it may have
 * made the decision, and its next answer cannot be read either.
 */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
