import { Unreachable } from '@plumbline/client'

/** Returns whether the gateway failed or sent no response. The decision can then be sent again. */
export const isAnswerLost = (error: unknown): boolean =>
  error instanceof Unreachable && (error.status === undefined || error.status >= 500)
