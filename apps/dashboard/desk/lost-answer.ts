import { Unreachable } from '@plumbline/client'

/**
 * Returns whether the response was lost, so that the request may be repeated. True if no gateway responded. False for
 * an unreadable response, because that gateway has another version. It may have made the decision, and its next
 * response would be unreadable too.
 */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
