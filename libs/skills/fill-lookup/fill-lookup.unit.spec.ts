import { describe, expect, it } from 'vitest'
import { fillLookupContract } from './fill-lookup.contract'
import { offlineFillLookup } from './fill-lookup.offline'

fillLookupContract('offline', () => offlineFillLookup)

describe('offline fillLookup', () => {
  const lookup = { name: 'tides', description: 'The next high and low tides.', params: [] }
  const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const

  it('needs a word of what the lookup tells where there is nothing to fill', async () => {
    expect(await offlineFillLookup({ question: 'When are the next tides?', lookup }, call)).toEqual({})
    expect(await offlineFillLookup({ question: 'When does it open?', lookup }, call)).toBeNull()
  })
})
