import { addUsage, type Usage } from '@plumbline/contracts'
import type { Run } from '../schema/run'
import { addEvent, change, type Move } from './move'

export const movesLeft = ({ policy, spent }: Run): number => policy.maxMoves - spent.moves

const overspent = ({ policy, usage }: Run): boolean =>
  usage.tokensIn + usage.tokensOut > policy.maxTokens || usage.cents > policy.maxCents

/**
 * Returns whether the budget allows this many more tasks. Parallel tasks can still exceed a limit, because the usage of
 * a task is known only when the task ends.
 */
export const affords = (run: Run, moves: number): boolean => !overspent(run) && movesLeft(run) >= moves

const micro = 1_000_000
const rounded = (cents: number): number => Math.round(cents * micro) / micro

/** Adds the usage and rounds cents to millionths, so that the order in which parallel tasks report does not matter. */
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

const limitOf = ({ policy, simple }: Run, counter: Counter): number =>
  policy.depth === 'auto' && simple && counter === 'rewrites'
    ? Math.min(1, policy.maxRewrites)
    : policy[limits[counter]]

/** If `sharedFrom` is `draft`, retries before the first draft do not count toward the shared limit of retries. */
const isApart = ({ policy, draft }: Run): boolean => policy.sharedFrom === 'draft' && draft === undefined

const sharedLeft = ({ policy, spent }: Run): number => {
  const { rewrites, webSearches, regenerations, augments, apart = 0 } = spent
  return policy.maxShared + apart - rewrites - webSearches - regenerations - augments
}

export const remaining = (run: Run, counter: Counter): number => {
  const own = limitOf(run, counter) - run.spent[counter]
  return run.policy.counters === 'separate' || isApart(run) ? own : Math.min(own, sharedLeft(run))
}

export const spend = (move: Move, counter: Counter, why: string): Move => {
  const { spent } = move.run
  const apart = isApart(move.run) && { apart: (spent.apart ?? 0) + 1 }
  const paid = change(move, { spent: { ...spent, [counter]: spent[counter] + 1, ...apart } })
  return addEvent(paid, 'counter-spent', { counter, why, left: remaining(paid.run, counter) })
}

/** The number of future tries whose cost is estimated: a retry, and the draft after the retry. */
const ahead = 2

const triesOf = ({ steps, draft }: Run): number => steps.reduce((sum, step) => sum + step.try, draft?.draft ?? 0)

export const isWorthRetrying = (run: Run): boolean => {
  const { policy, usage, deadlineAt, createdAt, movedAt = createdAt } = run
  if (policy.depth !== 'auto') return true
  const tries = Math.max(1, triesOf(run))
  const took = movedAt - (deadlineAt - policy.deadlineMs)
  return (
    (ahead * took) / tries <= deadlineAt - movedAt && (ahead * usage.cents) / tries <= policy.maxCents - usage.cents
  )
}
