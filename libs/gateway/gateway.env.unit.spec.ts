import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GatewayEnv } from './gateway.env'
import { readGatewayEnv, settingsOf } from './gateway-options'

describe('the environment of a gateway', () => {
  it('has a setting for two concurrent questions in one thread', () => {
    expect(readGatewayEnv({}).threads).toBe('queue')
    expect(readGatewayEnv({ THREADS: 'refuse' }).threads).toBe('refuse')
    expect(readGatewayEnv({ THREADS: 'replace' }).threads).toBe('replace')
    expect(() => readGatewayEnv({ THREADS: 'both' })).toThrow(/THREADS/)
  })

  it('sets how long OpenAI and MCP clients wait', () => {
    expect(readGatewayEnv({}).clientWaitSeconds).toBe(300)
    expect(readGatewayEnv({ CLIENT_WAIT_SECONDS: '20' }).clientWaitSeconds).toBe(20)
    expect(() => readGatewayEnv({ CLIENT_WAIT_SECONDS: '0' })).toThrow(/CLIENT_WAIT_SECONDS/)
  })

  it('accepts no MAX_FILE_MB above the size that is read', () => {
    expect(readGatewayEnv({}).maxFileMb).toBe(100)
    expect(readGatewayEnv({ MAX_FILE_MB: '100' }).maxFileMb).toBe(100)
    expect(() => readGatewayEnv({ MAX_FILE_MB: '101' })).toThrow(
      'MAX_FILE_MB: set at most 100, because no larger file is read',
    )
  })

  it('names the tenants that may release drafts that failed their check', () => {
    expect(readGatewayEnv({}).markedAnswers).toEqual([])
    expect(readGatewayEnv({ MARKED_ANSWERS: ' acme, bold ,' }).markedAnswers).toEqual(['acme', 'bold'])
  })

  it('reads the limits of questions by tenant', () => {
    expect(readGatewayEnv({})).toMatchObject({
      ...{ tenantRunsAtOnce: {}, tenantWeights: {}, maxQueueSeconds: 300 },
    })
    const set = {
      ...{ TENANT_ASKS_PER_MINUTE: '*=60,acme=600', KEY_ASKS_PER_MINUTE: '30', TENANT_RUNS_AT_ONCE: 'acme=5' },
      ...{ TENANT_WEIGHTS: 'acme=3, globex=0.5', MAX_QUEUE_SECONDS: '0', TENANT_TOKENS_PER_DAY: '*=1000' },
    }
    const reads = { TENANT_READS_PER_MINUTE: '*=600,acme=6000', KEY_READS_PER_MINUTE: '300' }
    const read = readGatewayEnv({ ...set, ...reads })
    expect(read).toMatchObject({
      tenantAsksPerMinute: { '*': 60, acme: 600 },
      keyAsksPerMinute: 30,
      tenantReadsPerMinute: { '*': 600, acme: 6_000 },
      keyReadsPerMinute: 300,
      tenantRunsAtOnce: { acme: 5 },
      tenantWeights: { acme: 3, globex: 0.5 },
      tenantTokensPerDay: { '*': 1_000 },
    })
    expect(read.maxQueueSeconds).toBe(Infinity)
    expect(() => readGatewayEnv({ TENANT_WEIGHTS: 'acme=0' })).toThrow(/TENANT_WEIGHTS: .*a weight/)
    expect(() => readGatewayEnv({ TENANT_RUNS_AT_ONCE: 'acme=1.5' })).toThrow(/TENANT_RUNS_AT_ONCE/)
  })

  it('reads the policies that an ask may name, and refuses names that are not there', () => {
    expect(readGatewayEnv({ POLICIES: 'standard, simple' }).policies).toEqual(['standard', 'simple'])
    expect(readGatewayEnv({}).policies).toEqual([])
    expect(() => readGatewayEnv({ POLICIES: 'standard,strictest' })).toThrow(/POLICIES names .*: strictest\. Use/)
  })

  it('reads routing rules, and refuses those with faults or with a policy that is not there', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'routes-')), 'routes.yaml')
    const rule = (policy: string) => `rules: [{ name: law, when: { words: contract }, then: { policy: ${policy} } }]`
    writeFileSync(file, rule('corrective'))
    expect(readGatewayEnv({ ROUTES_FILE: file }).routesFile).toMatchObject([
      { name: 'law', then: { policy: 'corrective' } },
    ])
    writeFileSync(file, rule('strictest'))
    expect(() => readGatewayEnv({ ROUTES_FILE: file })).toThrow(/policies that do not exist:\n {2}law: strictest/)
    writeFileSync(file, 'rules: [{ name: law }]')
    expect(() => readGatewayEnv({ ROUTES_FILE: file })).toThrow(/ROUTES_FILE: .*rules\.0\.when/)
    expect(readGatewayEnv({}).routesFile).toEqual([])
  })

  it('is the origin of every setting, with the defaults of its schema', () => {
    const options = { redisUrl: 'redis://redis:6379', features: [], removePassages: () => Promise.resolve() }
    const names = Object.keys(settingsOf(options))
    const set = Object.keys(GatewayEnv.parse({})).map((name) => name.replaceAll('_', '').toLowerCase())
    expect(names.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(set))
    expect(settingsOf(options)).toMatchObject({ webSearch: false, auditDays: 365, lanes: ['main'], port: 3_000 })
    expect(settingsOf({ ...options, fourEyes: ['acme'] })).toMatchObject({ fourEyes: ['acme'], threads: 'queue' })
  })
})
