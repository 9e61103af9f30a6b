import type { Usage } from '@plumbline/contracts'
import { addUsage } from '@plumbline/contracts'
import type { Policy } from '../policy/policy'
import type { Run } from '../map/run'

/** What must be left to finish from here: a try of a step is research and its grading, a draft is writing and its check. */
export const tryMoves = ({ gradeEvidence }: Policy): number => (gradeEvidence === 'on' ? 2 : 1)
export const draftMoves = ({ checkAnswer }: Policy): number => (checkAnswer === 'on' ? 2 : 1)

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

/** What a question of one step takes for which nothing is tried twice. */
export const straightMoves = (policy: Policy): number => {
  const planned = policy.entry === 'plan' || (policy.entry === 'route' && policy.plan !== 'never')
  return (policy.entry === 'route' ? 1 : 0) + (planned ? 1 : 0) + tryMoves(policy) + draftMoves(policy)
}
