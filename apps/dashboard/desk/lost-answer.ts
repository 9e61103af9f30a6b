import { Unreachable } from '@plumbline/client'

/**
 * Returns whether the request may be repeated. False for an unreadable response: that gateway has another version and
 * may have made the decision.
 */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
