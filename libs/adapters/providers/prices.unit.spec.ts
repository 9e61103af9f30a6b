import { describe, expect, it } from 'vitest'
import { centsIn, listPrices } from './prices'

const cents = centsIn(listPrices)

describe('cost of a call', () => {
  it('is input, cached input and output, in cents', () => {
    expect(cents('gpt-4.1', { tokensIn: 1_000_000, tokensOut: 0 })).toBeCloseTo(200)
    expect(cents('gpt-4.1', { tokensIn: 1_000_000, tokensCached: 400_000, tokensOut: 100_000 })).toBeCloseTo(
      0.6 * 200 + 0.4 * 50 + 0.1 * 800,
    )
  })
  it('is the same for a dated snapshot of a model', () =>
    expect(cents('gpt-4.1-mini-2025-04-14', { tokensIn: 500, tokensOut: 500 })).toBe(
      cents('gpt-4.1-mini', { tokensIn: 500, tokensOut: 500 }),
    ))
  it('is per search for a reranker', () =>
    expect(cents('rerank-v3.5', { tokensIn: 0, tokensOut: 0, searches: 5 })).toBeCloseTo(1))
  it('is nothing where no price is known', () => expect(cents('qwen3:8b', { tokensIn: 1e9, tokensOut: 1e9 })).toBe(0))
  it('has no cached price where none is given', () =>
    expect(
      centsIn({ asOf: '2026-01-01', models: { mine: { input: 1 } } })('mine', {
        tokensIn: 1_000_000,
        tokensCached: 1_000_000,
        tokensOut: 5,
      }),
    ).toBeCloseTo(100))
})
