import { callsWithin } from '@plumbline/adapters/redis/redis-errors'

/** Who waits at the door hears within a second that Redis is silent. */
export const promptly = callsWithin(800)
