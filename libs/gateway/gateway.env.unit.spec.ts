import { describe, expect, it } from 'vitest'
import { readGatewayEnv } from './gateway.env'

describe('the environment of a gateway', () => {
  it('says what becomes of two questions in one thread at once', () => {
    expect(readGatewayEnv({}).threads).toBe('queue')
    expect(readGatewayEnv({ THREADS: 'refuse' }).threads).toBe('refuse')
    expect(() => readGatewayEnv({ THREADS: 'both' })).toThrow(/THREADS/)
  })

  it('names the tenants whose policies may be weaker than the hold', () => {
    expect(readGatewayEnv({}).marked).toEqual([])
    expect(readGatewayEnv({ MARKED_ANSWERS: ' acme, bold ,' }).marked).toEqual(['acme', 'bold'])
  })
})
