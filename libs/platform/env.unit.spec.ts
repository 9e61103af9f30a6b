import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EntryEnv, EnvError, readEnv, readEnvs, WorkerEnv } from './env'

const failure = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof EnvError) return error.message
  }
  throw new Error('it was read')
}

describe('the environment', () => {
  it('has a default for everything a newcomer has not set', () => {
    expect(readEnv(EntryEnv, {})).toEqual({
      REDIS_URL: 'redis://127.0.0.1:6379',
      DATA_DIR: '.data',
      LANES: ['main'],
      TENANT_CENTS_PER_DAY: {},
      TENANT_TOKENS_PER_DAY: {},
      QDRANT_PREFIX: 'plumbline',
      QDRANT_QUANTISATION: 'none',
      LOG_LEVEL: 'info',
      DRAIN_MS: 20_000,
      HOST: '127.0.0.1',
      PORT: 3_000,
    })
  })

  it('takes an empty value for an unset one', () => {
    expect(readEnv(WorkerEnv, { CONCURRENCY: '', LANES: ' ', HEALTH_PORT: '' })).toMatchObject({
      LANES: ['main'],
      HEALTH_PORT: 0,
    })
  })

  it('reads numbers and lists', () => {
    expect(readEnv(WorkerEnv, { LANES: 'left, right', CONCURRENCY: '4', HEALTH_PORT: '9100' })).toMatchObject({
      LANES: ['left', 'right'],
      CONCURRENCY: 4,
      HEALTH_PORT: 9_100,
    })
  })

  it('reads what a tenant may spend a day, and says how to write it', () => {
    expect(readEnv(EntryEnv, { TENANT_CENTS_PER_DAY: '*=500, acme=20.5' }).TENANT_CENTS_PER_DAY).toEqual({
      '*': 500,
      acme: 20.5,
    })
    for (const wrong of ['500', 'acme=', 'acme=-1', '=5', 'acme=much'])
      expect(failure(() => readEnv(EntryEnv, { TENANT_CENTS_PER_DAY: wrong }))).toContain('*=500,acme=2000')
  })

  it.each(['abc', '-1', '99999', '3000.5'])('says how to write a port: not %s', (PORT) => {
    expect(failure(() => readEnv(EntryEnv, { PORT }))).toBe(
      'The environment has one error:\n  PORT: write a port from 0 to 65535; with 0, a free port is used',
    )
  })

  it('names every fault of every part, each once', () => {
    const message = failure(() =>
      readEnvs([WorkerEnv, z.object({ SEARCH_KEY: z.string('set it, or turn web search off') })], {
        REDIS_URL: 'localhost',
        LANES: 'A',
        CONCURRENCY: '0',
      }),
    )
    expect(message.split('\n')).toEqual([
      'The environment has 4 errors:',
      expect.stringContaining('  REDIS_URL: write it as redis://host:port'),
      '  LANES.0: use lower-case letters, digits and dashes',
      expect.stringContaining('  CONCURRENCY: '),
      '  SEARCH_KEY: set it, or turn web search off',
    ])
  })
})

describe('a secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('may be in a file that its name with _FILE names', () => {
    const keys = file('keys', 'first-key:a:asker\nsecond-key:b:admin\n')
    const read = readEnv(EntryEnv, {
      API_KEYS_FILE: keys,
      REDIS_URL_FILE: file('redis', 'redis://:secret@redis:6379\n'),
    })
    expect(read).toMatchObject({
      API_KEYS: 'first-key:a:asker\nsecond-key:b:admin',
      REDIS_URL: 'redis://:secret@redis:6379',
    })
    expect(readEnv(EntryEnv, { API_KEYS_FILE: keys, API_KEYS: ' ' }).API_KEYS).toContain('first-key')
    expect(readEnv(z.object({ AN_API_KEY: z.string() }), { AN_API_KEY_FILE: file('key', ' k \n') })).toEqual({
      AN_API_KEY: 'k',
    })
  })

  it('is reported with all other faults if it is set twice, or its file is unreadable or empty', () => {
    const message = failure(() =>
      readEnv(EntryEnv, {
        PORT: 'abc',
        API_KEYS: 'a-long-key:a:asker',
        API_KEYS_FILE: file('twice', 'x'),
        QDRANT_API_KEY_FILE: join(folder, 'nowhere'),
        REDIS_URL_FILE: file('empty', '\n'),
      }),
    )
    expect(message.split('\n')).toEqual([
      'The environment has 4 errors:',
      '  API_KEYS: is also set by API_KEYS_FILE: remove one of the two settings',
      expect.stringMatching(/^ {2}QDRANT_API_KEY_FILE: cannot be read: ENOENT.*nowhere/),
      expect.stringMatching(/^ {2}REDIS_URL_FILE: .*empty is empty$/),
      expect.stringContaining('  PORT: '),
    ])
    expect(message).not.toContain('a-long-key')
  })
})
