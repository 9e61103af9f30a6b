import { describe, expect, it } from 'vitest'
import type { Call, CollectionCard, Route } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const harbours: CollectionCard = { name: 'harbours', description: 'Harbour statistics by port and year.' }
const canteen: CollectionCard = { name: 'canteen', description: 'Menus and opening hours of the staff canteen.' }
const asked = { webOn: false, mode: 'scope', queries: 2, knowledge: false } as const

export const routeContract = (label: string, route: () => Route): void => {
  describe(`route: ${label}`, () => {
    it.each([[[harbours]], [[harbours, canteen]], [[]]])('names only given collections: %j', async (shown) => {
      const { collections, logic } = await route()(
        { ...asked, question: 'Which port had the most ship calls in 2020?', collections: shown },
        call,
      )
      for (const name of collections) expect(shown.map((card) => card.name)).toContain(name)
      expect(logic).not.toBe('')
    })

    it('researches a question that a collection covers', async () => {
      const question = 'Which port had the most ship calls in 2020?'
      const routed = await route()({ ...asked, question, collections: [harbours, canteen] }, call)
      expect(routed.to).toBe('research')
      expect(routed.collections).toContain('harbours')
      expect(routed.question ?? question).toBe(question)
    })

    it('writes at most the requested number of queries, and never repeats the question', async () => {
      const question = 'How is the berth occupancy rate defined?'
      for (const queries of [0, 1, 3]) {
        const routed = await route()({ ...asked, question, queries, collections: [harbours] }, call)
        expect((routed.queries ?? []).length).toBeLessThanOrEqual(queries)
        expect(routed.queries ?? []).not.toContain(question)
      }
    })

    it('stops when its signal aborts', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(route()({ ...asked, question: 'Hello', collections: [] }, aborted)).rejects.toThrow()
    })
  })
}
