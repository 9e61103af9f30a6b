import { describe, expect, it } from 'vitest'
import type { Embedder } from './search-models'

const never = new AbortController().signal
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

export const embedderContract = (name: string, open: () => Embedder): void => {
  describe(`embedder: ${name}`, () => {
    const embedder = open()

    it('returns one vector per text, in order, with the declared length', async () => {
      const vectors = await embedder.embed(['slate roof', 'amber', 'slate roof'], never)
      expect(vectors.map((vector) => vector.length)).toEqual([
        embedder.dimensions,
        embedder.dimensions,
        embedder.dimensions,
      ])
      expect(vectors[0]).toEqual(vectors[2])
      expect(vectors[0]).not.toEqual(vectors[1])
    })

    it('returns the same vector again, whatever other texts are in the call', async () => {
      const [alone] = await embedder.embed(['granite holds quartz'], never)
      const [, among] = await embedder.embed(['amber', 'granite holds quartz'], never)
      expect(dot(alone!, among!)).toBeCloseTo(1, 4)
    })

    it('returns vectors of length 1, finite for any text', async () => {
      const odd = ['', '   ', '—', '🍮', '東京の気温', 'a'.repeat(20_000), '\0', 'x '.repeat(5_000)]
      for (const vector of await embedder.embed(odd, never)) {
        expect(vector.every(Number.isFinite)).toBe(true)
        expect([0, 1]).toContain(Math.round(Math.sqrt(dot(vector, vector)) * 1e4) / 1e4)
      }
    })

    it('places similar texts near each other', async () => {
      const [query, near, far] = await embedder.embed(
        ['how slate roofs are built', 'building a roof of slate', 'the price of amber in Gdańsk'],
        never,
      )
      expect(dot(query!, near!)).toBeGreaterThan(dot(query!, far!) + 0.1)
    })

    it('returns nothing for no texts, and stops on its signal', async () => {
      expect(await embedder.embed([], never)).toEqual([])
      await expect(embedder.embed(['slate'], AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    })
  })
}
