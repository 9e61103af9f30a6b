import type { Evidence } from '@plumbline/contracts'
import type { RetrievalDefaults } from './retrieval-defaults'

const strength = ({ scores }: Evidence): number => scores.rerank ?? scores.fused ?? 0

/** Each passage once, with the scores of the query it stood highest in: the best of every query, then their next best until there is enough. */
export const unite = (
  perQuery: Evidence[][],
  { perQuery: best, atLeast, fillFrom }: Omit<RetrievalDefaults['evidence'], 'byWords'>,
): Evidence[] => {
  const united = new Map<string, Evidence>()
  const take = (evidence: Evidence): void => {
    const known = united.get(evidence.id)
    if (!known || strength(evidence) > strength(known)) united.set(evidence.id, evidence)
  }
  for (const found of perQuery) found.slice(0, best).forEach(take)
  const enough = fillFrom * Math.max(0, ...[...united.values()].map(strength))
  const deepest = Math.max(0, ...perQuery.map((found) => found.length))
  for (let rank = best; rank < deepest && united.size < atLeast; rank += 1) {
    const next = perQuery
      .flatMap((found) => found.slice(rank, rank + 1))
      .filter((evidence) => strength(evidence) >= enough)
      .sort((a, b) => strength(b) - strength(a))
    for (const evidence of next) if (united.has(evidence.id) || united.size < atLeast) take(evidence)
  }
  return [...united.values()].sort((a, b) => strength(b) - strength(a))
}
