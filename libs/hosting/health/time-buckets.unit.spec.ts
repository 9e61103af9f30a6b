import { expect, it } from 'vitest'
import { bucketOf, percentile } from './time-buckets'

it('returns percentiles as exact as the buckets, and null if nothing was counted', () => {
  const counts: Record<string, number> = {}
  for (let ms = 1; ms <= 1_000; ms += 1) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1
  expect(percentile(counts, 0.5)).toBe(500)
  expect(percentile(counts, 0.95)).toBe(950)
  expect(percentile({}, 0.5)).toBeNull()
  expect(percentile({ [bucketOf(10_000_000)]: 1, asked: 9 }, 0.95)).toBe(300_000)
})
