import type { ModelRequest } from './request'
import { type Matcher, matches } from './script'

/** The speed of a model: the time to its first token, and the tokens that follow in a second. */
export type Pace = { firstTokenMs: number; tokensPerSecond: number }

/** The newest pace whose matcher fits a request applies to it. */
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
