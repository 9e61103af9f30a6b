import { describe, expect, it } from 'vitest'
import { attackAddresses, attackByRebinding } from './spec/attacks'

describe('addresses that lead inside', () => {
  it('are refused as documents, as webhooks and behind redirects, and no private server is reached', async () => {
    const { judged, connections } = await attackAddresses()
    expect(judged.filter(({ refused }) => !refused)).toEqual([])
    expect(new Set(judged.map(({ address }) => address)).size).toBe(298)
    expect(connections).toBe(0)
  })

  it('are not reached through a name whose address changes after the check', async () => {
    expect(await attackByRebinding()).toEqual({ lookups: 1, connections: 0 })
  })
})
