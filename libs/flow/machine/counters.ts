import type { Run } from '../map/run'
import type { Move } from './move'
import { change, tell } from './move'

const limits = {
  rewrites: 'maxRewrites',
  webSearches: 'maxWebSearches',
  regenerations: 'maxRegenerations',
  augments: 'maxAugments',
} as const
export type Counter = keyof typeof limits

/** Shared counters keep their own limits too, so that an asker can lower one of them. */
export const left = ({ policy, spent }: Run, counter: Counter): number => {
  const own = policy[limits[counter]] - spent[counter]
  if (policy.counters === 'separate') return own
  return Math.min(own, policy.maxShared - spent.rewrites - spent.webSearches - spent.regenerations - spent.augments)
}

/** Spent once, where the core opens the task it pays for. */
export const spend = (move: Move, counter: Counter, why: string): Move => {
  const { spent } = move.run
  const paid = change(move, { spent: { ...spent, [counter]: spent[counter] + 1 } })
  return tell(paid, { type: 'counter-spent', audience: 'desk', counter, why, left: left(paid.run, counter) })
}
