import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectFailFast, type RedisClient, whenReady } from '@plumbline/adapters/redis/client/client'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openSources } from '@plumbline/features/sources/store/sources'
import { NewSource } from '@plumbline/contracts'
import { createGateway, type Gateway } from '@plumbline/gateway'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { readFeatures } from '.'

let server: PrivateRedis
let redis: RedisClient
let gateway: Gateway
beforeAll(async () => {
  server = await startPrivateRedis()
  redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  await redis.zadd(keys.notices, 1, 'r1')
  const { features } = readFeatures({ FEATURES: 'openai, cases' })
  gateway = await createGateway({
    redisUrl: server.url,
    port: 0,
    features,
    removePassages: () => Promise.resolve(),
  })
})
afterAll(async () => {
  await gateway.close()
  redis.disconnect()
  await server.stop()
})

const statusOf = async (path: string): Promise<number> => (await fetch(`${gateway.url}${path}`)).status
const json = async (path: string): Promise<unknown> => (await fetch(`${gateway.url}${path}`)).json()

describe('FEATURES', () => {
  it('leaves out the routes of all other features', async () => {
    for (const path of ['/v1/models', '/v1/cases', '/v1/runs'])
      expect([path, await statusOf(path)]).toEqual([path, 200])
    const { paths } = (await json('/openapi.json')) as { paths: object }
    expect(Object.keys(paths).filter((path) => /batches|schedules|webhooks|mcp|sources/.test(path))).toEqual([])
  })

  it('is sent to the web app', async () => {
    expect(await json('/v1/me')).toMatchObject({ features: ['openai', 'cases'] })
  })

  it('leaves out the workers, and nothing remains in the outbox', async () => {
    expect(readFeatures({ FEATURES: 'openai,cases' })).toMatchObject({ workers: [], companions: [] })
    expect(readFeatures({}).workers).toHaveLength(1)
    expect(readFeatures({}).companions).toHaveLength(1)
    await expect.poll(() => redis.zcard(keys.notices)).toBe(0)
  })

  it('leaves out the settings of all other features', () => {
    const SOURCE_CREDENTIALS_FILE = '/no/such/file'
    expect(() => readFeatures({ SOURCE_CREDENTIALS_FILE })).toThrow('SOURCE_CREDENTIALS_FILE: there is no file')
    expect(readFeatures({ FEATURES: 'openai', SOURCE_CREDENTIALS_FILE }).companions).toEqual([])
  })

  it('without sources, a collection can be removed although a source of an earlier time names it', async () => {
    const url = `${gateway.url}/v1/collections/handbook`
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ description: 'The handbook.' })
    expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200)
    const settings = { kind: 'folder', path: '/data/docs' } as const
    const told = NewSource.parse({ settings, collection: 'handbook' })
    expect(await openSources(redis).put('default', 'docs', { told, next: null })).toBe('kept')
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(204)
    expect(await openCatalog(redis).collection('default', 'handbook')).toBeNull()
  })

  it('refuses an unknown name with a list of the known ones', () => {
    expect(() => readFeatures({ FEATURES: 'batchs' })).toThrow(
      'FEATURES.0: use some of batches, schedules, cases, openai, mcp, webhooks, sources',
    )
  })
})
