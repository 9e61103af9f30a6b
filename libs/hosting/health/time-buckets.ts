import type { Counts } from '@plumbline/adapters/redis/ops/history'

/** The upper bounds of the buckets in ms. There are few buckets, because their counts are stored for every minute. */
const bounds = [
  5, 10, 20, 50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 30_000, 60_000,
  300_000,
]

export const bucketOf = (ms: number): string => {
  const at = bounds.findIndex((bound) => ms <= bound)
  return `t${at === -1 ? bounds.length : at}`
}

export const percentile = (counts: Counts, share: number): number | null => {
  const held = Array.from({ length: bounds.length + 1 }, (_, n) => counts[`t${n}`] ?? 0)
  const total = held.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let below = 0
  for (const [n, count] of held.entries()) {
    if (count > 0 && below + count >= share * total) {
      const from = bounds[n - 1] ?? 0
      const to = bounds[n] ?? from
      return Math.round(from + ((to - from) * (share * total - below)) / count)
    }
    below += count
  }
  return bounds.at(-1) ?? null
}
