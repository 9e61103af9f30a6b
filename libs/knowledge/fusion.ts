import type { Passage, Scores } from '@plumbline/contracts'

export type Ranking = { weight: number; ids: readonly string[] }

/** Merges rankings by reciprocal rank fusion. Ids with equal scores keep the order in which they first appear. */
export const fuse = (rankings: readonly Ranking[], constant: number): { id: string; score: number }[] => {
  const scores = new Map<string, number>()
  for (const { weight, ids } of rankings) {
    ;[...new Set(ids)].forEach((id, at) => scores.set(id, (scores.get(id) ?? 0) + weight / (constant + at + 1)))
  }
  return Array.from(scores, ([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}

const searchMethods = ['similarity', 'mmr', 'bm25'] as const
export type SearchMethod = (typeof searchMethods)[number]
type Hit = { passage: Passage; score: number }
type FusionSettings = Record<SearchMethod, { weight: number }> & { constant: number; limit: number }

export const fuseMethods = (
  found: Record<SearchMethod, readonly Hit[]>,
  ways: FusionSettings,
): { passage: Passage; scores: Scores }[] => {
  const known = new Map<string, { passage: Passage; scores: Scores }>()
  for (const way of searchMethods) {
    for (const { passage, score } of found[way]) {
      const ranked = known.get(passage.id) ?? { passage, scores: {} }
      known.set(passage.id, { passage, scores: { ...ranked.scores, [way]: score } })
    }
  }
  const rankings = searchMethods.map((way) => ({
    weight: ways[way].weight,
    ids: found[way].map(({ passage }) => passage.id),
  }))
  return fuse(rankings, ways.constant)
    .slice(0, ways.limit)
    .flatMap(({ id, score }) => {
      const ranked = known.get(id)
      return ranked ? [{ passage: ranked.passage, scores: { ...ranked.scores, fused: score } }] : []
    })
}
