import type { Refusal } from '../http/problem'

/** The longest wait before a question is tried again after its tenant's daily budget was used up. */
const budgetMs = 60_000

export type Wait = { why: string; ms: number }

/** Returns how long to wait before a refused question is repeated, or null if it must not be repeated. */
export const waitOf = ({ problem, retryAfter = 1 }: Refusal): Wait | null => {
  const why = problem.type.replace(/^.*:/, '')
  if (problem.status === 402) return { why, ms: Math.min(budgetMs, retryAfter * 1_000) }
  return problem.status === 429 || problem.status === 503 ? { why, ms: retryAfter * 1_000 } : null
}
