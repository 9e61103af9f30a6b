import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient, type Client } from '@plumbline/client'
import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { hostStages } from '@plumbline/hosting/host-stages'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { type ConsumerDefinition } from '@plumbline/hosting/define-stage'
import { ingestorWith } from '@plumbline/ingestor/ingestor'
import { openPageDrawer } from '@plumbline/parsing'
import { createLog, type Log, readEnv, WorkerEnv } from '@plumbline/platform'
import { openGatewaySearch } from '@plumbline/stages/researcher/gateway-search'
import { readFeatures } from '@plumbline/features/all'
import { allStages } from '@plumbline/stages/all'
import { kinds, refused, startChosen, type Kind } from './redis-kinds'

export type House = {
  client: Client
  url: string
  redisUrl: string
  metrics(): Promise<string>
  add(title: string, text: string, collection: string, metadata?: Record<string, string>): Promise<void>
  close(): Promise<void>
}

type Furnishing = {
  stages?: ConsumerDefinition[]
  env?: Record<string, string>
  key?: string
  /** The Redis to use. `close` stops it. */
  redis?: Kind
  log?: Log
  /** The data folder, which also contains the data of a private Redis. It stays after `close`. */
  dataDir?: string
}

export const openHouse = async ({
  stages = Object.values(allStages),
  env: more = {},
  key,
  redis: given,
  dataDir,
  log = createLog({ app: 'house', level: 'warn' }),
}: Furnishing = {}): Promise<House> => {
  const dir = dataDir ?? (await mkdtemp(join(tmpdir(), 'plumbline-house-')))
  const redis = given ?? (await (dataDir === undefined ? startChosen() : kinds.plain(join(dataDir, 'redis'))))
  // By default, nothing is embedded, as in vitest.config.ts. Specs of the encoder change this setting.
  const usual = { LOG_LEVEL: 'warn', EMBEDDING_MODEL: 'none' }
  const env = { ...usual, REDIS_URL: redis.url, DATA_DIR: dir, ...redis.env, ...more }
  const { features, workers, companions } = readFeatures(env)
  const hosted = [...stages, ingestorWith(companions), ...workers]
  const host = await hostStages({ app: 'house', stages: hosted, env, log, health: false })
  const index = await openPassageIndex(readEnv(WorkerEnv, env))
  const pages = openPageDrawer(dir, ['eng'])
  const gateway = await createGateway({
    ...readGatewayEnv(env),
    features,
    port: 0,
    log,
    pages,
    removePassages: (tenant, id, signal) => index.remove(tenant, id, signal),
    openSearch: (shared) =>
      openGatewaySearch({ ...shared, level: 'on', open: async () => ({ index, models: host.models }) }),
  })
  const client = createClient({ url: gateway.url, ...(key !== undefined && { key }) })

  const add: House['add'] = async (title, text, collection, metadata) => {
    const { id } = await client.addDocument({ title, text, collection, ...(metadata && { metadata }) })
    for (;;) {
      const { status, error } = await client.document(id)
      if (status === 'indexed') return
      if (status === 'failed') throw new Error(`${title} was not indexed: ${error}`)
      await wait(20)
    }
  }
  const close = async (): Promise<void> => {
    await gateway.close()
    await pages.close()
    await host.close()
    await index.close()
    const denied = await refused(redis)
    await redis.stop()
    if (dataDir === undefined) await rm(dir, { recursive: true, force: true })
    if (denied.length > 0) throw new Error(`Redis refused its user: ${[...new Set(denied)].join(', ')}`)
  }
  const metrics = (): Promise<string> => host.registry.metrics()
  return { client, url: gateway.url, redisUrl: redis.url, metrics, add, close }
}
