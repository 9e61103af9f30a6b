import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readGatewayEnv } from './gateway.env'

describe('the environment of a gateway', () => {
  it('says what becomes of two questions in one thread at once', () => {
    expect(readGatewayEnv({}).threads).toBe('queue')
    expect(readGatewayEnv({ THREADS: 'refuse' }).threads).toBe('refuse')
    expect(readGatewayEnv({ THREADS: 'replace' }).threads).toBe('replace')
    expect(() => readGatewayEnv({ THREADS: 'both' })).toThrow(/THREADS/)
  })

  it('names the tenants whose policies may be weaker than the hold', () => {
    expect(readGatewayEnv({}).marked).toEqual([])
    expect(readGatewayEnv({ MARKED_ANSWERS: ' acme, bold ,' }).marked).toEqual(['acme', 'bold'])
  })

  it('reads routing rules, and refuses those with faults or with a policy that is not there', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'routes-')), 'routes.yaml')
    const rule = (policy: string) => `rules: [{ name: law, when: { words: contract }, then: { policy: ${policy} } }]`
    writeFileSync(file, rule('corrective'))
    expect(readGatewayEnv({ ROUTES_FILE: file }).rules).toMatchObject([{ name: 'law', then: { policy: 'corrective' } }])
    writeFileSync(file, rule('strictest'))
    expect(() => readGatewayEnv({ ROUTES_FILE: file })).toThrow(/policies that are not there:\n {2}law: strictest/)
    writeFileSync(file, 'rules: [{ name: law }]')
    expect(() => readGatewayEnv({ ROUTES_FILE: file })).toThrow(/ROUTES_FILE: .*rules\.0\.when/)
    expect(readGatewayEnv({}).rules).toEqual([])
  })
})
