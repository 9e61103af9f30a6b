import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { readFeatures } from '@plumbline/features/all'
import { FeaturesEnv } from '@plumbline/features/all/features.env'
import { SourcesEnv } from '@plumbline/features/sources/sources.env'
import { readGatewayEnv, type GatewayOptions } from '@plumbline/gateway'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { OidcEnv } from '@plumbline/gateway/http/oidc.env'
import { EntryEnv } from '@plumbline/platform'
import { fuzzApi } from '@plumbline/testing/api-fuzz'
import { everyRoleKey, everySetting } from '@plumbline/testing/every-setting'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

const cases = 1_000
const schemas = [EntryEnv, GatewayEnv, OidcEnv, FeaturesEnv, SourcesEnv]
let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'plumbline-fuzz-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))
withPolicy('once-only', onceOnly)

const withRuns = async (options: Partial<GatewayOptions>, key?: string): Promise<{ house: House; ids: string[] }> => {
  const house = await openHouse(options)
  const client = createClient({ url: house.url, ...(key !== undefined && { key }) })
  const [held, answered] = [
    await client.ask({ question: 'Held?', policy: 'once-only' }),
    await client.ask({ question: 'Answered?' }),
  ]
  await house.report(held.id, ...toPark())
  await house.report(answered.id, ...toAnswer())
  const document = await client.addDocument({ title: 'Mars', text: 'Red.' })
  const made = await client.createKey({ name: 'x', roles: ['asker'] })
  return { house, ids: [held.id, answered.id, document.id, made.id] }
}

const fuzz = async (options: Partial<GatewayOptions>, key?: string): Promise<void> => {
  const { house, ids } = await withRuns(options, key)
  try {
    const statuses = await fuzzApi({
      url: house.url,
      ids,
      cases,
      seed: inject('seed'),
      ...(key !== undefined && { key }),
    })
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 202, 204, 400, 404, 405]))
  } finally {
    await house.close()
  }
}

it(`${cases} requests made from the description of the API are never answered 5xx, and every refusal is a problem`, async () => {
  // Refuse a question if its thread is busy. Without workers, it would otherwise wait until its deadline.
  await fuzz({ threads: 'refuse' })
}, 300_000)

it(`${cases} requests are never answered 5xx with every optional setting on`, async () => {
  const env = await everySetting(folder, schemas)
  const { entry: _, redisUrl: __, host: ___, port: ____, dataDir: _____, ...options } = readGatewayEnv(env)
  const { features } = readFeatures(env)
  await fuzz({ ...options, features, policies: [...options.policies, 'once-only'] }, everyRoleKey)
}, 300_000)

it('every optional setting of the gateway is among those that are on', async () => {
  const on = Object.keys(await everySetting(await mkdtemp(join(folder, 'names-')), schemas))
  expect(
    [GatewayEnv, FeaturesEnv, SourcesEnv, OidcEnv]
      .flatMap(({ shape }) => Object.keys(shape))
      .filter((name) => !on.includes(name)),
  ).toEqual([])
})
