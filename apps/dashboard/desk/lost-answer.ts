import { Unreachable } from '@plumbline/client'

/** Returns whether no response arrived or the gateway failed. The decision can then be sent again. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
