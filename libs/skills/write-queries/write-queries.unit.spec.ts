import { describe, expect, it } from 'vitest'
import { offlineWriteQueries } from './write-queries.offline'
import { writeQueriesContract } from './write-queries.contract'

writeQueriesContract('offline', () => offlineWriteQueries)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const written = (question: string, count = 4) => offlineWriteQueries({ question, count }, call)

describe('offline writeQueries', () => {
  it('begins with the words that carry the subject', async () => {
    const [first] = await written('Could you please tell me what the energy efficiency of Oslo harbour was in 2019?')
    expect(first).toBe('energy efficiency Oslo harbour 2019')
  })
  it('says the same in other words next', async () => {
    const [, second] = await written('What was the energy efficiency of Oslo in 2019?')
    expect(second).toBe('Oslo 2019 power effectiveness')
  })
  it('keeps values it was asked for out of a query about something', async () =>
    expect(await written('the values of USER_TYPE', 1)).toEqual(['values USER_TYPE']))
  it('gives the same queries every time', async () =>
    expect(await written('What is a lane?')).toEqual(await written('What is a lane?')))
})
