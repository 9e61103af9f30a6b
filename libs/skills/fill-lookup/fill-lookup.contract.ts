import type { LookupCard } from '@plumbline/ports/lookup'
import { describe, expect, it } from 'vitest'
import type { Call, FillLookup } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const ships: LookupCard = {
  name: 'ships-in-harbour',
  description: 'The ships that lie in a harbour now.',
  params: [{ name: 'harbour', description: 'The harbour.', values: ['Corvey', 'New Corvey', 'Aldwick'] }],
}
const position: LookupCard = {
  name: 'ship-position',
  description: 'Where a ship is now.',
  params: [{ name: 'imo', description: 'The IMO number of the ship.', pattern: 'IMO ?\\d{7}' }],
}
const tides: LookupCard = { name: 'tides', description: 'The next high and low tides.', params: [] }

const calls: LookupCard = {
  name: 'ship-calls',
  description: 'The ship calls since a day, with at least some tonnes.',
  params: [
    { name: 'day', description: 'The first day.', type: 'date' },
    { name: 'tonnes', description: 'The least tonnes.', type: 'integer' },
  ],
}
const all = [ships, position, calls]

export const fillLookupContract = (label: string, fillLookup: () => FillLookup): void => {
  const fill = (question: string, lookups: LookupCard[]) => fillLookup()({ question, lookups }, call)

  describe(`fillLookup: ${label}`, () => {
    it.each<[string, LookupCard, Record<string, string>]>([
      ['Which ships lie in new corvey?', ships, { harbour: 'New Corvey' }],
      ['Where is the ship IMO 1234567 now?', position, { imo: 'IMO 1234567' }],
      ['Which ship calls were since 2026-02-28 with 500 tonnes?', calls, { day: '2026-02-28', tonnes: '500' }],
    ])('returns the lookups that the question gives all values for: %s', async (question, { name }, values) =>
      expect(await fill(question, all)).toEqual([{ name, values }]),
    )

    it.each<[string, LookupCard]>([
      ['Which ships lie in Oslo?', ships],
      ['Where is the ship IMO 12 now?', position],
      ['Where is the ship?', position],
      ['Who painted the ceiling of the town hall?', tides],
      ['Which ship calls were since 2026-02-30 with 500 tonnes?', calls],
    ])('returns none if the question gives no valid value or is not about the lookup: %s', async (question, lookup) =>
      expect(await fill(question, [lookup])).toEqual([]),
    )

    it('stops when its signal aborts', async () => {
      await expect(
        (async () => fillLookup()({ question: 'tides', lookups: [tides] }, { ...call, signal: AbortSignal.abort() }))(),
      ).rejects.toThrow()
    })
  })
}
