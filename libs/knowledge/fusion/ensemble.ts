import type { Passage, Scores } from '@plumbline/contracts'
import { fuse } from './fuse'

const waysOfSearching = ['similarity', 'mmr', 'bm25'] as const
export type Way = (typeof waysOfSearching)[number]
type Hit = { passage: Passage; score: number }
type Ways = Record<Way, { weight: number }> & { constant: number; limit: number }

/** What the ways of searching found, as one ranking: each passage once, with the score that each way gave it. */
export const ensemble = (found: Record<Way, readonly Hit[]>, ways: Ways): { passage: Passage; scores: Scores }[] => {
  const known = new Map<string, { passage: Passage; scores: Scores }>()
  for (const way of waysOfSearching) {
    for (const { passage, score } of found[way]) {
      const ranked = known.get(passage.id) ?? { passage, scores: {} }
      known.set(passage.id, { passage, scores: { ...ranked.scores, [way]: score } })
    }
  }
  const rankings = waysOfSearching.map((way) => ({
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
