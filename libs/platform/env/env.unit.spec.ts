import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DoorEnv, EnvError, readEnv, readEnvs, WorkerEnv } from './env'

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
    expect(readEnv(DoorEnv, {})).toEqual({
      REDIS_URL: 'redis://127.0.0.1:6379',
      DATA_DIR: '.data',
      LANES: ['main'],
      TENANT_CENTS_PER_DAY: {},
      QDRANT_PREFIX: 'plumbline',
      QDRANT_QUANTISATION: 'none',
      LOG_LEVEL: 'info',
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
    expect(readEnv(DoorEnv, { TENANT_CENTS_PER_DAY: '*=500, acme=20.5' }).TENANT_CENTS_PER_DAY).toEqual({
      '*': 500,
      acme: 20.5,
    })
    for (const wrong of ['500', 'acme=', 'acme=-1', '=5', 'acme=much'])
      expect(failure(() => readEnv(DoorEnv, { TENANT_CENTS_PER_DAY: wrong }))).toContain('*=500,acme=2000')
  })

  it.each(['abc', '-1', '99999', '3000.5'])('says how to write a port: not %s', (PORT) => {
    expect(failure(() => readEnv(DoorEnv, { PORT }))).toBe(
      'The environment has one fault:\n  PORT: write a port from 0 to 65535; 0 takes a free one',
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
      'The environment has 4 faults:',
      expect.stringContaining('  REDIS_URL: write it as redis://host:port'),
      '  LANES.0: use lower-case letters, digits and dashes',
      expect.stringContaining('  CONCURRENCY: '),
      '  SEARCH_KEY: set it, or turn web search off',
    ])
  })
})
