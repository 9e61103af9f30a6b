import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { readGatewayEnv, type GatewayOptions } from '@plumbline/gateway'
import { GatewayEnv } from '@plumbline/gateway/gateway.env'
import { OidcEnv } from '@plumbline/gateway/http/token-callers'
import { fuzzApi } from '@plumbline/testing/api-fuzz'
import { everyRoleKey, everySetting } from '@plumbline/testing/every-setting'
import { onceOnly, openHouse, toAnswer, toPark, withPolicy, type House } from './house.spec'

const cases = 1_000
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
  const {
    entry: _,
    redisUrl: __,
    host: ___,
    port: ____,
    dataDir: _____,
    ...options
  } = readGatewayEnv(await everySetting(folder))
  await fuzz({ ...options, offeredPolicies: [...(options.offeredPolicies ?? []), 'once-only'] }, everyRoleKey)
}, 300_000)

it('every optional setting of the gateway is among those that are on', async () => {
  const on = Object.keys(await everySetting(await mkdtemp(join(folder, 'names-'))))
  expect(
    [...Object.keys(GatewayEnv.shape), ...Object.keys(OidcEnv.shape)].filter((name) => !on.includes(name)),
  ).toEqual([])
})
