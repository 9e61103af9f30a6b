import type { Way } from '@plumbline/knowledge/fusion'
import type { Ways } from './passage-index'

const off: Ways = {
  similarity: { k: 0, weight: 0 },
  mmr: { k: 0, weight: 0, fetch: 0, lambda: 0 },
  bm25: { k: 0, weight: 0 },
  constant: 1,
  limit: 0,
}

/** One way of searching alone. */
export const oneWay = <One extends Way>(way: One, settings: Omit<Ways[One], 'weight'>): Ways => ({
  ...off,
  [way]: { ...settings, weight: 1 },
  limit: settings.k,
})
