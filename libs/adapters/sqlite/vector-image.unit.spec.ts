import { cosine } from '@plumbline/knowledge/mmr'
import { describe, expect, it } from 'vitest'
import { vectorImage } from './vector-image'

const random = (
  (state) => () =>
    (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
)(7)
const vectorOf = (dimensions: number): Float32Array => Float32Array.from({ length: dimensions }, () => random() - 0.5)
const nearestOf = (vectors: Map<number, Float32Array>, query: Float32Array, k: number): number[] =>
  [...vectors]
    .map(([key, vector]) => ({ key, score: cosine(vector, query) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
    .map(({ key }) => key)

describe('an image of vectors', () => {
  it.each([1, 7, 16, 500, 512, 1_536])(
    'finds the true nearest vectors of %i dimensions among the likely ones, whatever their length',
    (dimensions) => {
      const image = vectorImage(dimensions)
      const vectors = new Map(
        Array.from({ length: 5_000 }, (_, key) => [key, vectorOf(dimensions).map((value) => value * (1 + key))]),
      )
      for (const [key, vector] of vectors) image.add(key, 1, [{ key, vector }])
      for (let nth = 0; nth < 5; nth += 1) {
        const query = vectorOf(dimensions).map((value) => value * 10 ** nth)
        const likely = image.nearest(query, [1], 130).map((key) => cosine(vectors.get(key)!, query))
        const least = cosine(vectors.get(nearestOf(vectors, query, 40).at(-1)!)!, query)
        expect(likely.filter((score) => score >= least - 1e-6).length).toBeGreaterThanOrEqual(40)
      }
    },
  )

  it('finds only documents of the requested classes, and no removed documents', () => {
    const image = vectorImage(8)
    const query = Float32Array.from([1, 0, 0, 0, 0, 0, 0, 0])
    const put = (document: number, kind: number): void =>
      image.add(
        document,
        kind,
        [0, 1].map((nth) => ({ key: document * 10 + nth, vector: query })),
      )
    put(1, 5)
    put(2, 6)
    expect(image.nearest(query, [5], 9)).toEqual([10, 11])
    expect(image.nearest(query, [6, 5, 7], 9)).toEqual([10, 11, 20, 21])
    expect(image.nearest(query, [], 9)).toEqual([])
    image.remove(1)
    image.remove(3)
    put(4, 6)
    expect(image.nearest(query, [5, 6], 9)).toEqual([20, 21, 40, 41])
  })

  it.each([
    ['all', [1, 2, 3]],
    ['nearly all', [1, 2]],
    ['some', [2]],
  ])('finds the true nearest if %s of 40,000 documents are in scope', (_, kinds) => {
    const image = vectorImage(16)
    const kindOf = (document: number): number => (document % 100 === 0 ? 3 : (document % 2) + 1)
    const vectors = new Map(Array.from({ length: 40_000 }, (__, key) => [key, vectorOf(16)]))
    for (const [key, vector] of vectors) image.add(key, kindOf(key), [{ key, vector }])
    for (let gone = 0; gone < 40_000; gone += 999) {
      image.remove(gone)
      vectors.delete(gone)
    }
    const inside = new Map([...vectors].filter(([key]) => kinds.includes(kindOf(key))))
    const query = vectorOf(16)
    const likely = image.nearest(query, kinds, 130)
    expect(likely.every((key) => inside.has(key))).toBe(true)
    const least = cosine(vectors.get(nearestOf(inside, query, 40).at(-1)!)!, query)
    expect(likely.filter((key) => cosine(vectors.get(key)!, query) >= least).length).toBeGreaterThanOrEqual(40)
  })

  it('reuses the memory of removed documents', () => {
    const image = vectorImage(512)
    const rows = Array.from({ length: 100 }, (_, key) => ({ key, vector: vectorOf(512) }))
    image.add(0, 1, rows)
    const before = image.bytes()
    for (let nth = 0; nth < 50; nth += 1) {
      image.remove(nth)
      image.add(nth + 1, 1, rows)
    }
    expect(image.bytes()).toBe(before)
    expect(image.nearest(rows[3]!.vector, [1], 1)).toEqual([3])
  })

  it('accepts zero vectors in documents and queries', () => {
    const image = vectorImage(16)
    const none = new Float32Array(16)
    image.add(1, 1, [
      { key: 1, vector: none },
      { key: 2, vector: none.with(0, -3) },
    ])
    expect(image.nearest(none.with(0, 1), [1], 2)).toEqual([1, 2])
    expect(image.nearest(none, [1], 2)).toEqual([1, 2])
  })
})
