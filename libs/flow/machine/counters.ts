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

/** What is tried before there is a draft is for the evidence, and is no retry of an answer where a policy says so. */
const isApart = ({ policy, draft }: Run): boolean => policy.sharedFrom === 'draft' && draft === undefined

const sharedLeft = ({ policy, spent }: Run): number => {
  const { rewrites, webSearches, regenerations, augments, apart = 0 } = spent
  return policy.maxShared + apart - rewrites - webSearches - regenerations - augments
}

/** Shared counters keep their own limits too, so that an asker can lower one of them. */
export const left = (run: Run, counter: Counter): number => {
  const own = limitOf(run, counter) - run.spent[counter]
  return run.policy.counters === 'separate' || isApart(run) ? own : Math.min(own, sharedLeft(run))
}

/** Spent once, where the core opens the task it pays for. */
export const spend = (move: Move, counter: Counter, why: string): Move => {
  const { spent } = move.run
  const apart = isApart(move.run) && { apart: (spent.apart ?? 0) + 1 }
  const paid = change(move, { spent: { ...spent, [counter]: spent[counter] + 1, ...apart } })
  return tell(paid, { type: 'counter-spent', audience: 'desk', counter, why, left: left(paid.run, counter) })
}
