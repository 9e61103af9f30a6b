import { describe, expect, it } from 'vitest'
import type { Reranker } from './search-models'

const never = new AbortController().signal
const documents = [
  'Stones · Amber\nAmber floats on salt water and burns.',
  'Stones · Slate\nSlate splits into thin plates, which makes it good for roofs.',
  'Planets · Mars\nMars has two moons, Phobos and Deimos.',
]

export const rerankerContract = (name: string, open: () => Reranker): void => {
  describe(`reranker: ${name}`, () => {
    const reranker = open()

    it('ranks the document that answers first', async () => {
      for (const [query, index] of [
        ['Which stone is good for roofs?', 1],
        ['How many moons does Mars have?', 2],
      ] as const)
        expect((await reranker.rerank(query, documents, 3, never))[0]?.index).toBe(index)
    })

    it('returns the best topN, best first, each document once', async () => {
      const order = await reranker.rerank('Does amber float?', documents, 2, never)
      expect(order).toHaveLength(2)
      expect(new Set(order.map(({ index }) => index)).size).toBe(2)
      expect(order[0]!.score).toBeGreaterThanOrEqual(order[1]!.score)
      expect(order.every(({ score }) => Number.isFinite(score))).toBe(true)
    })

    it('returns no more documents than there are', async () => {
      expect(await reranker.rerank('amber', documents, 9, never)).toHaveLength(3)
      expect(await reranker.rerank('amber', [], 3, never)).toEqual([])
    })

    it('accepts any query and document', async () => {
      for (const query of ['', '—', '"*" OR', '東京', 'x '.repeat(2_000)])
        expect(await reranker.rerank(query, ['', '\n\n', '| a |\n|---|\n| 1 |', ...documents], 6, never)).toHaveLength(
          6,
        )
    })

    it('stops on its signal', async () => {
      await expect(reranker.rerank('amber', documents, 1, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    })
  })
}
