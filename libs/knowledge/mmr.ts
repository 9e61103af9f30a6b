const product = (a: Float32Array, b: Float32Array): number => {
  const shorter = Math.min(a.length, b.length)
  let sum = 0
  for (let at = 0; at < shorter; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

export const cosine = (a: Float32Array, b: Float32Array): number => {
  const dot = product(a, b)
  const both = Math.sqrt(product(a, a) * product(b, b))
  return both === 0 ? 0 : dot / both
}

export type Candidate = { relevance: number; vector: Float32Array }
export type Picked = { index: number; score: number }

/** Picks `k` candidates by maximal marginal relevance: similarity to already picked candidates lowers the score. */
export const mmr = (candidates: readonly Candidate[], k: number, lambda: number): Picked[] => {
  const picked: Picked[] = []
  const nearest = candidates.map(() => 0)
  const left = new Set(candidates.keys())
  while (picked.length < k && left.size > 0) {
    let best: Picked | undefined
    for (const index of left) {
      const score = lambda * (candidates[index]?.relevance ?? 0) - (1 - lambda) * (nearest[index] ?? 0)
      if (!best || score > best.score) best = { index, score }
    }
    if (!best) break
    const chosen = candidates[best.index]
    left.delete(best.index)
    picked.push(best)
    for (const index of left) {
      const candidate = candidates[index]
      if (chosen && candidate) nearest[index] = Math.max(nearest[index] ?? 0, cosine(candidate.vector, chosen.vector))
    }
  }
  return picked
}
