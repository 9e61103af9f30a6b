import { readFeatures } from '@plumbline/features/all'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openDocumentFiles, type DocumentFiles } from '@plumbline/adapters/files/document-files'
import { connectFailFast, whenReady, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore, type RedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { createClient, type Client } from '@plumbline/client'
import { advance, policies, type Policy, type Run } from '@plumbline/flow'
import {
  checked,
  claim,
  drafted,
  found,
  good,
  graded,
  planned,
  reportOf,
  toResearch,
  ungrounded,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { dispatch, moveRun } from '@plumbline/worker/move'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { createGateway, type Gateway, type GatewayOptions } from '@plumbline/gateway'

export const { features } = readFeatures({})

export type ReportFields = Parameters<typeof reportOf>[1]

/** A gateway and its store on a private Redis, without workers. Specs send the reports that workers would send. */
export type House = {
  url: string
  server: PrivateRedis
  redis: RedisClient
  store: RedisRunStore
  gateway: Gateway
  client: Client
  /** The document store. Its folder is in `dataDir`. */
  files: DocumentFiles
  dataDir: string
  /** Applies these reports to the run, one after another. */
  report(runId: string, ...said: ReportFields[]): Promise<Run>
  close(): Promise<void>
}

export const openHouse = async (options: Partial<GatewayOptions> = {}): Promise<House> => {
  const server = await startPrivateRedis()
  const dataDir = await mkdtemp(join(tmpdir(), 'plumbline-gateway-'))
  const gateway = await createGateway({
    features,
    redisUrl: server.url,
    port: 0,
    dataDir,
    removePassages: () => Promise.resolve(),
    ...options,
  })
  const redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  const store = openRedisRunStore({ redis })
  const queue = openBullMqJobQueue({ connection: redis })
  const move = async (runId: string, said: ReportFields): Promise<Run> => {
    const outcome = await moveRun(store, runId, (run) => advance(run, reportOf(run, said)))
    if (outcome.kind !== 'moved') throw new Error(`${said.taskId}: ${outcome.kind}`)
    await dispatch({ store, queue }, outcome.before, outcome.after)
    return outcome.after
  }
  return {
    url: gateway.url,
    server,
    redis,
    store,
    gateway,
    client: createClient({ url: gateway.url }),
    files: await openDocumentFiles(join(dataDir, 'documents')),
    dataDir,
    report: async (runId, ...said) => {
      let run = (await store.load(runId))?.run
      for (const one of said) run = await move(runId, one)
      if (!run) throw new Error(`no run ${runId}`)
      return run
    },
    close: async () => {
      await gateway.close()
      await queue.close()
      await store.close()
      redis.disconnect()
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts another gateway on the same Redis. */
export const openBeside = (house: House, options: Partial<GatewayOptions>): Promise<Gateway> =>
  createGateway({ features, ...options, redisUrl: house.server.url, port: 0, removePassages: () => Promise.resolve() })

/** Adds a policy until the specs of the file have ended. */
export const withPolicy = (name: string, fields: Partial<Policy>): void => {
  const standard = policies.standard
  if (!standard) throw new Error('there is no standard policy')
  beforeAll(() => void (policies[name] = { ...standard, ...fields, name }))
  afterAll(() => void delete policies[name])
}

export const evidenceIn: ReportFields[] = [
  toResearch,
  planned('How heavy is Mars?'),
  found('1.1', ['p1']),
  graded('1.1', { p1: good }),
]
/** Returns the reports that lead from a new run to a checked answer. */
export const toAnswer = (text = 'Mars weighs 6.4e23 kg [1].'): ReportFields[] => [
  ...evidenceIn,
  drafted(1, text),
  checked(1),
]
/** Returns the reports that lead from a new run to a held draft, if the policy has no retries. */
export const toPark = (text = 'Mars is made of cheese [1].', why = 'No passage says so.'): ReportFields[] => [
  ...evidenceIn,
  drafted(1, text),
  ungrounded(1, claim('unsupported', { text, reason: why })),
]
export const onceOnly: Partial<Policy> = { maxRegenerations: 0, maxAugments: 0 }

export const post = (
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
