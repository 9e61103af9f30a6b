import { addUsage, type Usage } from '@plumbline/contracts'
import type { Run } from '../schema/run'
import { addEvent, change, type Move } from './move'

export const movesLeft = ({ policy, spent }: Run): number => policy.maxMoves - spent.moves

const overspent = ({ policy, usage }: Run): boolean =>
  usage.tokensIn + usage.tokensOut > policy.maxTokens || usage.cents > policy.maxCents

/**
 * Parallel tasks, or a draft and its check, may exceed the limits: the usage of a task is known only after it has
 * ended.
 */
export const affords = (run: Run, moves: number): boolean => !overspent(run) && movesLeft(run) >= moves

const micro = 1_000_000
const rounded = (cents: number): number => Math.round(cents * micro) / micro

/**
 * Adds cents as whole millionths, because parallel tasks report in any order and sums of floats depend on the order.
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

/** With automatic depth, a question that the router called simple gets at most one rewrite. */
const limitOf = ({ policy, simple }: Run, counter: Counter): number =>
  policy.depth === 'auto' && simple && counter === 'rewrites'
    ? Math.min(1, policy.maxRewrites)
    : policy[limits[counter]]

/**
 * With `sharedFrom: draft`, retries before the first draft improve the evidence and are exempt from the shared limit.
 */
const isApart = ({ policy, draft }: Run): boolean => policy.sharedFrom === 'draft' && draft === undefined

const sharedLeft = ({ policy, spent }: Run): number => {
  const { rewrites, webSearches, regenerations, augments, apart = 0 } = spent
  return policy.maxShared + apart - rewrites - webSearches - regenerations - augments
}

/** Returns how many retries of one kind are left under its own limit and, with shared counters, the shared limit. */
export const left = (run: Run, counter: Counter): number => {
  const own = limitOf(run, counter) - run.spent[counter]
  return run.policy.counters === 'separate' || isApart(run) ? own : Math.min(own, sharedLeft(run))
}

export const spend = (move: Move, counter: Counter, why: string): Move => {
  const { spent } = move.run
  const apart = isApart(move.run) && { apart: (spent.apart ?? 0) + 1 }
  const paid = change(move, { spent: { ...spent, [counter]: spent[counter] + 1, ...apart } })
  return addEvent(paid, 'counter-spent', { counter, why, left: left(paid.run, counter) })
}

/** The estimate for a retry covers two tries: the retry itself, and the draft that follows it. */
const ahead = 2

/** Returns the number of tries and drafts so far. */
const triesOf = ({ steps, draft }: Run): number => steps.reduce((sum, step) => sum + step.try, draft?.draft ?? 0)

/**
 * Returns whether the remaining time and money cover another try and its draft, at the average cost so far. Always true
 * with fixed depth.
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
