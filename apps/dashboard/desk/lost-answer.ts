import { Unreachable } from '@plumbline/client'

/**
 * Returns whether the request may be repeated. Returns false for an unreadable response, because the decision may have
 * been made by a gateway of another version.
 */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
