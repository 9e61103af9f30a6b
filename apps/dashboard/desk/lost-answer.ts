import { Unreachable } from '@plumbline/client'

/** Returns false for an unreadable response, because a gateway of another version may have decided. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
