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

/** Tests an implementation of `fillLookup`: it returns values that the lookup declares, or null. */
export const fillLookupContract = (label: string, fillLookup: () => FillLookup): void => {
  const fill = (question: string, lookup: LookupCard) => fillLookup()({ question, lookup }, call)

  describe(`fillLookup: ${label}`, () => {
    it.each<[string, LookupCard, Record<string, string>]>([
      ['Which ships lie in new corvey?', ships, { harbour: 'New Corvey' }],
      ['Where is the ship IMO 1234567 now?', position, { imo: 'IMO 1234567' }],
    ])('returns the values that the question gives: %s', async (question, lookup, values) =>
      expect(await fill(question, lookup)).toEqual(values),
    )

    it.each<[string, LookupCard]>([
      ['Which ships lie in Oslo?', ships],
      ['Where is the ship IMO 12 now?', position],
      ['Where is the ship?', position],
      ['Who painted the ceiling of the town hall?', tides],
    ])('returns null if the question gives no valid value or is not about the lookup: %s', async (question, lookup) =>
      expect(await fill(question, lookup)).toBeNull(),
    )

    it('stops when its signal aborts', async () => {
      await expect(
        (async () => fillLookup()({ question: 'tides', lookup: tides }, { ...call, signal: AbortSignal.abort() }))(),
      ).rejects.toThrow()
    })
  })
}
