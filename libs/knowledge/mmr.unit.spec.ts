import { describe, expect, it } from 'vitest'
import { cosine, mmr } from './mmr'

const at = (degrees: number): Float32Array =>
  Float32Array.from([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)])
const query = at(0)
const candidates = (...degrees: number[]) =>
  degrees.map((each) => ({ relevance: cosine(query, at(each)), vector: at(each) }))
const picks = (k: number, lambda: number, ...degrees: number[]): number[] =>
  mmr(candidates(...degrees), k, lambda).map(({ index }) => degrees[index]!)

describe('maximal marginal relevance', () => {
  it('ranks by relevance alone at lambda 1', () => expect(picks(3, 1, 30, 10, 20)).toEqual([10, 20, 30]))
  it('prefers candidates that differ from those already picked', () =>
    expect(picks(2, 0.5, 10, 11, -40)).toEqual([10, -40]))
  it('weighs relevance against similarity', () => {
    expect(picks(2, 0.99, 10, 11, -40)).toEqual([10, 11])
    expect(mmr(candidates(0, 60), 2, 0.5)[1]?.score).toBeCloseTo(0.5 * 0.5 - 0.5 * 0.5, 5)
  })
  it('returns no more than k candidates, and no more than there are', () => {
    expect(picks(9, 0.5, 10, 20)).toHaveLength(2)
    expect(mmr([], 3, 0.5)).toEqual([])
    expect(picks(0, 0.5, 10)).toEqual([])
  })
})

describe('cosine', () => {
  it('is 0 for a vector of length zero', () => expect(cosine(new Float32Array(2), at(10))).toBe(0))
  it('does not depend on the lengths of the vectors', () =>
    expect(
      cosine(
        at(10),
        at(10).map((value) => value * 5),
      ),
    ).toBeCloseTo(1, 5))
})
