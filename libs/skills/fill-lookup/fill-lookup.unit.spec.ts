import { describe, expect, it } from 'vitest'
import { fillLookupContract } from './fill-lookup.contract'
import { offlineFillLookup } from './fill-lookup.offline'

fillLookupContract('offline', () => offlineFillLookup)

describe('offline fillLookup', () => {
  const lookups = [{ name: 'tides', description: 'The next high and low tides.', params: [] }]
  const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const

  it('needs a word of the description if there is nothing to fill', async () => {
    expect(await offlineFillLookup({ question: 'When are the next tides?', lookups }, call)).toEqual([
      { name: 'tides', values: {} },
    ])
    expect(await offlineFillLookup({ question: 'When does it open?', lookups }, call)).toEqual([])
  })

  it('needs only the values if the lookup was chosen', async () => {
    const question = 'What was INC-20441?'
    const incident = {
      name: 'incidents',
      description: 'What became of a case.',
      params: [{ name: 'number', description: 'Its number.', pattern: 'INC-[0-9]{4,8}' }],
    }
    const filled = (asked: string, isChosen: boolean) =>
      offlineFillLookup({ question: asked, lookups: [incident], isChosen }, call)
    expect(await filled(question, false)).toEqual([])
    expect(await filled(question, true)).toEqual([{ name: 'incidents', values: { number: 'INC-20441' } }])
    expect(await filled('What?', true)).toEqual([])
  })
})
