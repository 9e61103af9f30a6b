import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectFailFast, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { createClient, type Client } from '@plumbline/client'
import type { Stage } from '@plumbline/flow'
import { freePort, startPrivateRedis } from '@plumbline/platform'
import { startModelServer, type ModelServer } from '@plumbline/testing/model-server/model-server'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { writePolicies, type OwnPolicy } from './own-policies'
import { fleet, startProcess, type Proc } from '@plumbline/testing/processes'
import { until } from './wait'
import { watching } from './world'

const dist = join(import.meta.dirname, '..')
type Options = {
  policies?: OwnPolicy[]
  env?: (model: ModelServer) => Record<string, string>
  /** True to run the ingestor in a separate process, where questions do not slow it down. */
  ingestorApart?: boolean
  /** Stages that run in two separate processes each, and not in the worker. A killed process is started again. */
  killable?: Stage[]
}

const adding =
  (client: Client) =>
  async (title: string, text: string, collection: string): Promise<void> => {
    const { id } = await client.addDocument({ title, text, collection })
    await until(`${title} is indexed`, async () => (await client.document(id)).status === 'indexed', 30_000)
  }

type Parts = { redisUrl: string; dir: string; model: ModelServer; port: number }
const environment = async (
  { redisUrl, dir, model, port }: Parts,
  { policies = [], env }: Options,
): Promise<Record<string, string>> => ({
  REDIS_URL: redisUrl,
  DATA_DIR: dir,
  POLICIES_DIR: await writePolicies(join(dir, 'policies'), policies),
  HOST: '127.0.0.1',
  PORT: `${port}`,
  HEALTH_PORT: '0',
  OPENAI_BASE_URL: model.openaiUrl,
  OPENAI_API_KEY: 'a-key',
  MODEL_SMALL: 'gpt-4.1-mini',
  MODEL_STRONG: 'gpt-4.1',
  // Vectors are off by default, because most tests concern the flow. Tests of the search turn the encoder on.
  EMBEDDING_MODEL: 'none',
  ...env?.(model),
})

const memoryOf = async (redis: RedisClient): Promise<number> =>
  Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? 0) / 2 ** 20

const gatewayReady = (url: string): Promise<number> =>
  until(
    'the gateway is ready',
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200,
    60_000,
  )

const startCrews = (killable: Stage[], env: Record<string, string>) => {
  const crews = killable.map((stage) =>
    fleet(2, (n) => startProcess(`${stage}-${n}`, join(dist, `${stage}/main.mjs`), [], env)),
  )
  return {
    members: (): Proc[] => crews.flatMap(({ members }) => members),
    stop: () => Promise.all(crews.map(({ stop }) => stop('SIGKILL'))),
  }
}

const consumes = ({ output }: Proc): boolean => output.some((line) => line.includes('consuming'))

const openHouse = async ({ killable = [], ...options }: Options = {}) => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-fire-'))
  const redis = await startPrivateRedis()
  const model = await startModelServer({ validate: false })
  model.script(() => true, plainModel)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = await environment({ redisUrl: redis.url, dir, model, port }, options)
  const startGateway = (): Proc => startProcess('gateway', join(dist, 'gateway/main.mjs'), [], env)
  const stages = options.ingestorApart ? 'questions' : 'stages'
  const startWorker = (): Proc => startProcess(stages, join(dist, 'fire/main.mjs'), [stages, ...killable], env)
  let worker = startWorker()
  const apart = options.ingestorApart ? [startProcess('ingestor', join(dist, 'ingestor/main.mjs'), [], env)] : []
  const crews = startCrews(killable, env)
  let gateway = startGateway()
  const redisClient = connectFailFast(redis.url).on('error', () => undefined)
  const store = openRedisRunStore({ redis: redisClient })
  const client = createClient({ url })
  const killGateway = async (): Promise<void> => {
    await gateway.kill('SIGKILL')
    gateway = startGateway()
  }
  const consuming = (): Promise<number> =>
    until('the workers consume', () => [worker, ...apart, ...crews.members()].every(consumes), 60_000)
  const killWorker = async (): Promise<void> => {
    await worker.kill('SIGKILL')
    worker = startWorker()
    await consuming()
  }
  const close = async (): Promise<void> => {
    await crews.stop()
    await Promise.all([worker, ...apart, gateway].map((started) => started.kill('SIGKILL')))
    await store.close()
    redisClient.disconnect()
    await Promise.all([redis.stop(), model.close(), rm(dir, { recursive: true, force: true })])
  }
  try {
    await Promise.all([gatewayReady(url), consuming()])
  } catch (error) {
    await close()
    throw error
  }
  return {
    client,
    url,
    port,
    model,
    worker: () => worker,
    crew: crews.members,
    redisUrl: redis.url,
    gateway: () => gateway,
    redisMb: () => memoryOf(redisClient),
    store,
    killGateway,
    killWorker,
    add: adding(client),
    close,
    ...watching(store),
  }
}
export type House = Awaited<ReturnType<typeof openHouse>>

export const inHouse = async <T>(options: Options, work: (house: House) => Promise<T>): Promise<T> => {
  const house = await openHouse(options)
  try {
    return await work(house)
  } finally {
    await house.close()
  }
}
