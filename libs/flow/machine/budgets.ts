import { addUsage, type Usage } from '@plumbline/contracts'
import type { Run } from '../schema/run'
import { addEvent, change, type Move } from './move'

export const movesLeft = ({ policy, spent }: Run): number => policy.maxMoves - spent.moves

const overspent = ({ policy, usage }: Run): boolean =>
  usage.tokensIn + usage.tokensOut > policy.maxTokens || usage.cents > policy.maxCents

/**
 * Returns whether the run has moves left for new work, and has not overspent its tokens or money. Tokens and money are
 * counted after the work, so parallel tasks, or a draft with its check, may exceed them.
 */
export const affords = (run: Run, moves: number): boolean => !overspent(run) && movesLeft(run) >= moves

const micro = 1_000_000
const rounded = (cents: number): number => Math.round(cents * micro) / micro

/**
 * Adds two usages. Cents are added as whole millionths, because a sum of floats depends on the order in which parallel
 * tasks report.
 */
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

/**
 * Returns the limit of a counter. With automatic depth, a question that the router called simple gets at most one
 * rewrite.
 */
const limitOf = ({ policy, simple }: Run, counter: Counter): number =>
  policy.depth === 'auto' && simple && counter === 'rewrites'
    ? Math.min(1, policy.maxRewrites)
    : policy[limits[counter]]

/**
 * Returns whether a retry now does not count toward the shared limit. With `sharedFrom: draft`, retries before the
 * first draft do not, because they improve the evidence and not the answer.
 */
const isApart = ({ policy, draft }: Run): boolean => policy.sharedFrom === 'draft' && draft === undefined

const sharedLeft = ({ policy, spent }: Run): number => {
  const { rewrites, webSearches, regenerations, augments, apart = 0 } = spent
  return policy.maxShared + apart - rewrites - webSearches - regenerations - augments
}

/**
 * Returns how many retries of one kind are left. With shared counters, each kind also has its own limit, which an asker
 * may lower.
 */
export const left = (run: Run, counter: Counter): number => {
  const own = limitOf(run, counter) - run.spent[counter]
  return run.policy.counters === 'separate' || isApart(run) ? own : Math.min(own, sharedLeft(run))
}

/** Counts one retry when its task opens. */
export const spend = (move: Move, counter: Counter, why: string): Move => {
  const { spent } = move.run
  const apart = isApart(move.run) && { apart: (spent.apart ?? 0) + 1 }
  const paid = change(move, { spent: { ...spent, [counter]: spent[counter] + 1, ...apart } })
  return addEvent(paid, 'counter-spent', { counter, why, left: left(paid.run, counter) })
}

/** Counts as two tries: the retry itself, and the draft that always follows. */
const ahead = 2

/** Counts the tries and drafts so far, to estimate the average time and cost of one. */
const triesOf = ({ steps, draft }: Run): number => steps.reduce((sum, step) => sum + step.try, draft?.draft ?? 0)

/**
 * Returns whether the remaining time and money cover another try and its draft, at the average so far. Time is measured
 * from the ask, or from the last decision of a reviewer, to the latest report. Always true with fixed depth.
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
