import { addUsage, type Usage } from '@plumbline/contracts'
import type { Run } from '../map/run'
import { addEvent, change, type Move } from './move'

export const movesLeft = ({ policy, spent }: Run): number => policy.maxMoves - spent.moves

const overspent = ({ policy, usage }: Run): boolean =>
  usage.tokensIn + usage.tokensOut > policy.maxTokens || usage.cents > policy.maxCents

/**
 * Work is opened only when there are moves to finish it, so no run makes more than its policy allows. Tokens and money are looked at
 * between waves, never between siblings, and what a wave or a draft with its check costs beyond them is not cut off half-way.
 */
export const affords = (run: Run, moves: number): boolean => !overspent(run) && movesLeft(run) >= moves

const micro = 1_000_000
const rounded = (cents: number): number => Math.round(cents * micro) / micro

/** Cents are added as whole millionths: sums of floats would tell which sibling reported first. */
export const withUsage = (a: Usage, b: Usage): Usage => ({
  ...addUsage(a, b),
  cents: rounded(rounded(a.cents) + rounded(b.cents)),
})

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
  return addEvent(paid, 'counter-spent', { counter, why, left: left(paid.run, counter) })
}

/** Another try is followed by another draft. */
const ahead = 2

/** What was opened so far, each taking its share of the time and the money that went. */
const triesOf = ({ steps, draft }: Run): number => steps.reduce((sum, step) => sum + step.try, draft?.draft ?? 0)

/**
 * Depth by deadline and price: whether what is left will do for a try and its draft, going by what those so far have used. The time is
 * that of the report that came last, counted from when the run was asked or a person sent it back.
 */
export const isWorthRetrying = (run: Run): boolean => {
  const { policy, usage, deadlineAt, createdAt, movedAt = createdAt } = run
  if (policy.depth !== 'auto') return true
  const tries = Math.max(1, triesOf(run))
  const took = movedAt - (deadlineAt - policy.deadlineMs)
  return (
    (ahead * took) / tries <= deadlineAt - movedAt && (ahead * usage.cents) / tries <= policy.maxCents - usage.cents
  )
}
