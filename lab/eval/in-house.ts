import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectFailFast } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import { createClient, type Client } from '@plumbline/client'
import type { DocumentView, Evidence, Passage, RunView } from '@plumbline/contracts'
import { draftIds } from '@plumbline/flow'
import { readFeatures } from '@plumbline/features/all'
import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { hostStages } from '@plumbline/hosting/host-stages'
import { ingestorWith } from '@plumbline/ingestor/ingestor'
import { createLog, startPrivateRedis, type Log } from '@plumbline/platform'
import { createStop, type Stop } from '@plumbline/platform/stop'
import { allStages } from '@plumbline/stages/all'

/** `evidence`: the passages from which the last draft could be written, in order. */
export type EvaluatedRun = { view: RunView; evidence: Evidence[] }
type TextFields = { name?: string; format?: DocumentView['format'] }
export type InHouse = {
  client: Client
  upload(path: string, collection: string): Promise<DocumentView>
  add(title: string, text: string, collection: string, fields?: TextFields): Promise<DocumentView>
  ask(question: string, collection: string, policy?: string, threadId?: string): Promise<EvaluatedRun>
  passages(document: DocumentView): Promise<Passage[]>
  models: string
  close(): Promise<void>
}

/** Extends the current environment, which selects the models. */
const surroundings = async (stop: Stop) => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-eval-'))
  stop.add('the folder', () => rm(dir, { recursive: true, force: true }))
  const redis = await startPrivateRedis()
  stop.add('Redis', () => redis.stop())
  const own = { REDIS_URL: redis.url, DATA_DIR: dir, LOG_LEVEL: 'error', HOST: '127.0.0.1', CACHE: 'off' }
  return {
    dir,
    redis,
    env: { ...process.env, ...own, API_KEYS: undefined, API_KEYS_FILE: undefined, REDIS_URL_FILE: undefined },
  }
}

/** Waits until the vectors are written, which happens after the document can be found by words. */
const withVectors = async (client: Client, view: DocumentView): Promise<DocumentView> => {
  for (let now = view; ; now = await client.document(view.id)) {
    if (!now.vectors) return now
    await sleep(50)
  }
}

const opened = async (log: Log, stop: Stop): Promise<InHouse> => {
  const { dir, redis, env } = await surroundings(stop)
  const { features, companions } = readFeatures(env)
  const host = await hostStages({
    app: 'eval',
    stages: [...Object.values(allStages), ingestorWith(companions)],
    env,
    log,
    health: false,
  })
  stop.add('the stages', () => host.close())
  const index = await openSqlitePassageIndex({ file: join(dir, 'index.sqlite') })
  stop.add('the index', () => index.close())
  const gateway = await createGateway({
    ...readGatewayEnv(env),
    features,
    port: 0,
    log,
    removePassages: (tenant, id, signal) => index.remove(tenant, id, signal),
  })
  stop.add('the gateway', () => gateway.close())
  const connection = connectFailFast(redis.url)
  stop.add('the connection', () => connection.disconnect())
  const store = openRedisRunStore({ redis: connection })
  stop.add('the store', () => store.close())
  const client = createClient({ url: gateway.url })

  const indexed = async (id: string): Promise<DocumentView> => {
    for await (const view of client.documentEvents(id)) {
      if (view.status === 'indexed') return withVectors(client, view)
      if (view.status === 'failed') throw new Error(`${view.title} was not indexed: ${view.error}`)
    }
    throw new Error(`document ${id} came to no end`)
  }
  const ask: InHouse['ask'] = async (question, collection, policy, threadId) => {
    const { id } = await client.ask({ question, collection, ...(policy && { policy }), ...(threadId && { threadId }) })
    for await (const event of client.events(id)) if (event.type === 'ended' || event.type === 'parked') break
    const loaded = await store.load(id)
    return { view: await client.run(id), evidence: loaded ? await store.evidence(id, draftIds(loaded.run)) : [] }
  }
  return {
    client,
    models: host.models.label,
    upload: async (path, collection) =>
      indexed((await client.uploadDocument(new Blob([readFileSync(path)]), basename(path), { collection })).id),
    add: async (title, text, collection, fields) =>
      indexed((await client.addDocument({ title, text, collection, ...fields })).id),
    ask,
    passages: ({ id, collection }) =>
      index.passages(
        { tenant: 'default', collections: [collection], filters: {}, access: 'all' },
        id,
        null,
        new AbortController().signal,
      ),
    close: () => stop.run(),
  }
}

export const openInHouse = async (): Promise<InHouse> => {
  const log = createLog({ app: 'eval', level: 'error' })
  const stop = createStop(log)
  try {
    return await opened(log, stop)
  } catch (error) {
    await stop.run()
    throw error
  }
}
