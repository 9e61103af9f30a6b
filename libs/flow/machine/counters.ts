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

/** As deep as the question: one that the router called simple is rewritten once. */
const limitOf = ({ policy, simple }: Run, counter: Counter): number =>
  policy.depth === 'auto' && simple && counter === 'rewrites'
    ? Math.min(1, policy.maxRewrites)
    : policy[limits[counter]]

/** Shared counters keep their own limits too, so that an asker can lower one of them. */
export const left = (run: Run, counter: Counter): number => {
  const { policy, spent } = run
  const own = limitOf(run, counter) - spent[counter]
  if (policy.counters === 'separate') return own
  return Math.min(own, policy.maxShared - spent.rewrites - spent.webSearches - spent.regenerations - spent.augments)
}

/** Spent once, where the core opens the task it pays for. */
export const spend = (move: Move, counter: Counter, why: string): Move => {
  const { spent } = move.run
  const paid = change(move, { spent: { ...spent, [counter]: spent[counter] + 1 } })
  return tell(paid, { type: 'counter-spent', audience: 'desk', counter, why, left: left(paid.run, counter) })
}
