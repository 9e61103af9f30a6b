import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { connectFailFast, openRedisRunStore } from '@plumbline/adapters/redis'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import { createClient, type Client } from '@plumbline/client'
import type { DocumentView, Evidence, RunView } from '@plumbline/contracts'
import { draftIds } from '@plumbline/flow'
import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { hostStages } from '@plumbline/hosting'
import { ingestor } from '@plumbline/ingestor'
import { createLog, startPrivateRedis } from '@plumbline/platform'
import { allStages } from '@plumbline/stages/all'

/** One run as it ended, with the passages its last draft could be written from, in their order. */
export type Asked = { view: RunView; evidence: Evidence[] }
export type InHouse = {
  client: Client
  upload(path: string, collection: string): Promise<DocumentView>
  add(title: string, text: string, collection: string): Promise<DocumentView>
  ask(question: string, collection: string, policy?: string): Promise<Asked>
  /** What models it was started with. */
  models: string
  close(): Promise<void>
}

/** The whole system in this process, asked over HTTP: Redis, queues, ingestor, index, all stages, the gateway. The environment chooses its models. */
export const openInHouse = async (): Promise<InHouse> => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-eval-'))
  const redis = await startPrivateRedis()
  const log = createLog({ app: 'eval', level: 'error' })
  const env = { ...process.env, REDIS_URL: redis.url, DATA_DIR: dir, LOG_LEVEL: 'error', HOST: '127.0.0.1', API_KEYS: undefined, CACHE: 'off' }
  const host = await hostStages({ app: 'eval', stages: [...Object.values(allStages), ingestor], env, log, health: false })
  const index = await openSqlitePassageIndex({ file: join(dir, 'index.sqlite') })
  const gateway = await createGateway({ ...readGatewayEnv(env), port: 0, log, removePassages: (tenant, id, signal) => index.remove(tenant, id, signal) })
  const connection = connectFailFast(redis.url)
  const store = openRedisRunStore({ redis: connection })
  const client = createClient({ url: gateway.url })

  const indexed = async (id: string): Promise<DocumentView> => {
    for await (const view of client.documentEvents(id)) {
      if (view.status === 'indexed') return view
      if (view.status === 'failed') throw new Error(`${view.title} was not indexed: ${view.error}`)
    }
    throw new Error(`document ${id} came to no end`)
  }
  const ask = async (question: string, collection: string, policy?: string): Promise<Asked> => {
    const { id } = await client.ask({ question, collection, ...(policy && { policy }) })
    for await (const event of client.events(id)) if (event.type === 'ended' || event.type === 'parked') break
    const loaded = await store.load(id)
    return { view: await client.run(id), evidence: loaded ? await store.evidence(id, draftIds(loaded.run)) : [] }
  }
  const close = async (): Promise<void> => {
    await gateway.close()
    await host.close()
    await index.close()
    await store.close()
    connection.disconnect()
    await redis.stop()
    await rm(dir, { recursive: true, force: true })
  }
  return {
    client,
    models: host.models.label,
    upload: async (path, collection) => indexed((await client.uploadDocument(new Blob([readFileSync(path)]), basename(path), { collection })).id),
    add: async (title, text, collection) => indexed((await client.addDocument({ title, text, collection })).id),
    ask,
    close,
  }
}
