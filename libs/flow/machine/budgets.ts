import { addUsage, type Usage } from '@plumbline/contracts'
import type { Run } from '../schema/run'
import { addEvent, change, type Move } from './move'

export const movesLeft = ({ policy, spent }: Run): number => policy.maxMoves - spent.moves

const overspent = ({ policy, usage }: Run): boolean =>
  usage.tokensIn + usage.tokensOut > policy.maxTokens || usage.cents > policy.maxCents

/**
 * Opens work only if the run has moves left to finish it, so no run exceeds its policy's moves. Tokens and money are
 * checked between waves, never between siblings. A wave, or a draft with its check, may overspend; it is not cut
 * off.
 */
export const affords = (run: Run, moves: number): boolean => !overspent(run) && movesLeft(run) >= moves

const micro = 1_000_000
const rounded = (cents: number): number => Math.round(cents * micro) / micro

/** Adds cents as whole millionths, because a sum of floats depends on the order in which siblings report. */
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

/** With automatic depth, a question that the router called simple gets one rewrite. */
const limitOf = ({ policy, simple }: Run, counter: Counter): number =>
  policy.depth === 'auto' && simple && counter === 'rewrites'
    ? Math.min(1, policy.maxRewrites)
    : policy[limits[counter]]

/** Retries before the first draft improve the evidence. Some policies do not count them as retries of the answer. */
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

/** Spends a counter once, when the task that it pays for opens. */
export const spend = (move: Move, counter: Counter, why: string): Move => {
  const { spent } = move.run
  const apart = isApart(move.run) && { apart: (spent.apart ?? 0) + 1 }
  const paid = change(move, { spent: { ...spent, [counter]: spent[counter] + 1, ...apart } })
  return addEvent(paid, 'counter-spent', { counter, why, left: left(paid.run, counter) })
}

/** A retry is always followed by a draft. */
const ahead = 2

/** Counts the tries and drafts so far, to estimate the average time and cost of one. */
const triesOf = ({ steps, draft }: Run): number => steps.reduce((sum, step) => sum + step.try, draft?.draft ?? 0)

/**
 * Returns whether the remaining time and money cover another try and its draft, going by the average so far. Time is
 * measured from the ask, or from the last decision of a reviewer, to the latest report.
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
