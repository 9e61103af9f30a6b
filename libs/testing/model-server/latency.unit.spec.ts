import { expect, it } from 'vitest'
import { readAsked } from './asked'
import { createLatencies, sampler } from './latency'

const many = (sample: () => number): number[] => Array.from({ length: 4_000 }, sample)

it('is spread about its median, with the same values for the same seed', () => {
  const values = many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 0.5, seed: 7 }))
  expect(many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 0.5, seed: 7 }))).toEqual(values)
  expect(many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 0.5, seed: 8 }))).not.toEqual(values)
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0
  expect(at(0.5)).toBeGreaterThan(760)
  expect(at(0.5)).toBeLessThan(840)
  expect(at(0.84) / at(0.5)).toBeCloseTo(Math.exp(0.5), 1)
})

it('is never more than its most', () => {
  expect(Math.max(...many(sampler({ kind: 'lognormal', medianMs: 800, sigma: 2, mostMs: 900 })))).toBe(900)
})

it('is that of the newest that matches, and none at all otherwise', () => {
  const asked = readAsked('POST', '/v1/chat/completions', { model: 'small', messages: [] })
  const latencies = createLatencies()
  expect(latencies.of(asked)).toBe(0)
  latencies.add({ kind: 'fixed', ms: 5 }, {})
  latencies.add({ kind: 'fixed', ms: 9 }, { model: 'strong' })
  expect(latencies.of(asked)).toBe(5)
  expect(latencies.of({ ...asked, model: 'strong' })).toBe(9)
})
