import { Unreachable } from '@plumbline/client'

/**
 * Returns whether no gateway answered, so that the same request may be sent again. An unreadable answer comes from a
 * gateway of another version. It may have made the decision, and its next answer would be unreadable too.
 */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
