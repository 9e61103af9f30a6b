import { describe, expect, it } from 'vitest'
import type { Call } from '../skill'
import type { CollectionCard, Route } from './route'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const harbours: CollectionCard = {
  name: 'harbours',
  description:
    'Harbour statistics of the Nordic countries by port and year, 2015 to 2023: cargo throughput in tonnes, ship calls, berth occupancy rate, dwell time, dredging, tugs, pilots, quays and cranes. Occupancy rate is the share of hours in which a berth is taken. The figures come from the port authorities.',
}
const kitchen: CollectionCard = {
  name: 'canteen',
  description: 'Recipes, menus and opening hours of the staff canteen: soups, breads, desserts, allergens.',
}

/** What every implementation of `route` keeps to. It sees the question and the collections' descriptions, nothing else. */
export const routeContract = (label: string, route: () => Route): void => {
  const routed = (question: string, collections = [harbours], webOn = false) =>
    route()({ question, collections, webOn }, call)

  describe(`route: ${label}`, () => {
    it.each([
      'What was the berth occupancy rate in Oslo in 2021?',
      'Which port had the most ship calls in 2020?',
      'What was the cargo throughput of Reykjavik in 2016?',
      'How is the occupancy rate defined?',
    ])('researches: %s', async (question) => {
      const { to, logic, collections } = await routed(question)
      expect(to).toBe('research')
      expect(collections).toEqual(['harbours'])
      expect(logic).not.toBe('')
    })

    it.each([
      'And for the second port?',
      'Was it higher than the year before?',
      'Give me the numbers.',
      'What was the occupancy rate?',
    ])('asks back: %s', async (question) => expect((await routed(question)).to).toBe('clarify'))

    it.each(['Who won the football cup last night?', 'Write a poem about spring.', 'Which shoes should I buy?'])(
      'declines: %s',
      async (question) => expect((await routed(question)).to).toBe('decline'),
    )

    it.each(['Hello!', 'Thank you very much', 'What can you do?'])('answers small talk itself: %s', async (question) =>
      expect((await routed(question)).to).toBe('reply'),
    )

    it('names only collections it was shown, those the question is about', async () => {
      expect((await routed('What was the cargo throughput of Oslo in 2020?', [harbours, kitchen])).collections).toEqual(
        ['harbours'],
      )
      expect((await routed('Which soups and desserts contain allergens?', [harbours, kitchen])).collections).toEqual([
        'canteen',
      ])
    })

    it('does not decline where the description says too little to exclude anything', async () =>
      expect(
        (await routed('Which quay was dredged in 2019?', [{ name: 'default', description: 'Company documents.' }])).to,
      ).toBe('research'))

    it('says so when there is no collection', async () => {
      const { to, logic } = await routed('What was the cargo throughput of Oslo in 2020?', [])
      expect(to).toBe('decline')
      expect(logic).toMatch(/collection/i)
    })

    it('stops when it is told to', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(
        (async () => route()({ question: 'Hello', collections: [], webOn: false }, aborted))(),
      ).rejects.toThrow()
    })
  })
}
