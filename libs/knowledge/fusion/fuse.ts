export type Ranking = { weight: number; ids: readonly string[] }

/** Weighted reciprocal rank fusion: each ranking gives `weight / (constant + rank)`, ranks from 1. Best first; ties keep the order of first sight. */
export const fuse = (rankings: readonly Ranking[], constant: number): { id: string; score: number }[] => {
  const scores = new Map<string, number>()
  for (const { weight, ids } of rankings) {
    ;[...new Set(ids)].forEach((id, at) => scores.set(id, (scores.get(id) ?? 0) + weight / (constant + at + 1)))
  }
  return Array.from(scores, ([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
