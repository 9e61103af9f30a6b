import type { ModelRequest } from './request'
import { type Matcher, matches } from './script'

/** The last piece of a stream is sent after `ends` has resolved. */
export type Pace = { firstTokenMs: number; tokensPerSecond: number; ends?: Promise<void> }

/** Stores how fast the server sends answers. If several speeds match a request, the newest one applies. */
export const createPaces = () => {
  let set: { matcher: Matcher; pace: Pace }[] = []
  return {
    add: (pace: Pace, matcher: Matcher): void => void set.unshift({ matcher, pace }),
    of: (asked: ModelRequest): Pace | undefined => set.find(({ matcher }) => matches(matcher, asked))?.pace,
    clear: () => {
      set = []
    },
  }
}
