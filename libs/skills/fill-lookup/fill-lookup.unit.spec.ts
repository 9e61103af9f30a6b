import { describe, expect, it } from 'vitest'
import { fillLookupContract } from './fill-lookup.contract'
import { offlineFillLookup } from './fill-lookup.offline'

fillLookupContract('offline', () => offlineFillLookup)

describe('offline fillLookup', () => {
  const lookup = { name: 'tides', description: 'The next high and low tides.', params: [] }
  const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const

  it('needs a word of the description if there is nothing to fill', async () => {
    expect(await offlineFillLookup({ question: 'When are the next tides?', lookup }, call)).toEqual({})
    expect(await offlineFillLookup({ question: 'When does it open?', lookup }, call)).toBeNull()
  })

  it('needs only the values if a rule chose the lookup', async () => {
    const question = 'What was INC-20441?'
    const incident = {
      name: 'incidents',
      description: 'What became of a case.',
      params: [{ name: 'number', description: 'Its number.', pattern: 'INC-[0-9]{4,8}' }],
    }
    expect(await offlineFillLookup({ question, lookup: incident }, call)).toBeNull()
    expect(await offlineFillLookup({ question, lookup: incident, isChosen: true }, call)).toEqual({
      number: 'INC-20441',
    })
    expect(await offlineFillLookup({ question: 'What?', lookup: incident, isChosen: true }, call)).toBeNull()
  })
})
