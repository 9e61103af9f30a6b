import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { connectFailFast } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import type { LedgerEvent } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import { freePort, startPrivateRedis } from '@plumbline/platform'
import type { Orders } from './handlers'
import { writePolicies, type OwnPolicy } from './own-policies'
import { fleet, startProcess, type Proc } from '@plumbline/testing/processes'
import { pause, until } from './wait'

const dist = join(import.meta.dirname, '..')
const bodyOf = (orders: Orders) => ({ question: 'What do the documents say in each case?', metadata: orders })

type Options = {
  workers?: number
  fsync?: 'everysec' | 'always'
  concurrency?: number
  redisArgs?: string[]
  /** Options of Node for the gateway. */
  gatewayArgs?: string[]
  /** Returns the URL of a proxy that is between the process and Redis. */
  redisFor?: (process: string, redisUrl: string) => string
  /** The URL of a Redis that the test started itself. The private Redis then stays unused. */
  redisUrl?: string
  policies?: OwnPolicy[]
  /** The folder of the build to start. Defaults to the current build. */
  build?: string
  /** True to require API keys. Questions then use a key from the store and are counted by key and tenant. */
  keyed?: boolean
  env?: Record<string, string>
}
type AskResponse = { status: number; id: string; retryAfter: string | null; ms: number }

/** Observes runs directly in the store, and not through the tested system. */
export const watching = (store: RunStore) => {
  const load = async (ids: string[]): Promise<(Run | null)[]> => store.loadMany(ids).catch(() => ids.map(() => null))
  const settled = (what: string, ids: string[], holds: (run: Run) => boolean, timeoutMs: number): Promise<number> => {
    let left = ids
    return until(
      what,
      async () => {
        const runs = await load(left)
        left = left.filter((_, i) => !(runs[i] && holds(runs[i])))
        return left.length === 0
      },
      timeoutMs,
    ).catch((cause: unknown) => {
      throw new Error(`${left.length} of ${ids.length} runs did not: ${what} (for example ${left[0]})`, { cause })
    })
  }
  const ledgerOf = async (id: string): Promise<LedgerEvent[]> =>
    (await store.ledger(id, null, 1_000)).map(({ event }) => event)
  const ended = (ids: string[], timeoutMs: number): Promise<number> =>
    settled('end', ids, (run) => run.endedAt !== undefined, timeoutMs)
  return { load, settled, ended, ledgerOf }
}

const counting = (witness: Redis) => async (): Promise<Record<string, number>> =>
  Object.fromEntries(Object.entries(await witness.hgetall('calls')).map(([task, count]) => [task, Number(count)]))

const adminKey = 'fire-admin-key'
const withKeys = {
  API_KEYS: `${adminKey}:default:admin+asker`,
  TENANT_ASKS_PER_MINUTE: '*=60000',
  KEY_ASKS_PER_MINUTE: '60000',
}

const requestsTo = (urlNow: () => string) => {
  const keyed: Record<string, string> = {}
  const takeKey = async (): Promise<void> => {
    const made = await fetch(`${urlNow()}/v1/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${adminKey}` },
      body: JSON.stringify({ name: 'fire', roles: ['asker', 'admin'] }),
    })
    const { key } = (await made.json()) as { key: string }
    keyed.authorization = `Bearer ${key}`
  }
  const call = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const from = performance.now()
    const answer = await fetch(`${urlNow()}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...keyed, ...headers },
      body: JSON.stringify(body),
    }).catch(() => undefined)
    const told = (await answer?.json().catch(() => ({}))) as { id?: string } | undefined
    const ms = performance.now() - from
    return {
      status: answer?.status ?? 0,
      id: told?.id ?? '',
      retryAfter: answer?.headers.get('retry-after') ?? null,
      ms,
    }
  }
  const ask = (orders: Orders = {}, key?: string): Promise<AskResponse> =>
    call('POST', '/v1/runs', bodyOf(orders), key === undefined ? {} : { 'idempotency-key': key })
  /** Makes a change that is recorded in the audit log. */
  const change = (): Promise<AskResponse> =>
    call('PUT', '/v1/collections/fire', { description: 'What the harness asks of.' })
  const askWell = async (orders: Orders = {}, key?: string): Promise<string> => {
    const { status, id } = await ask(orders, key)
    if (status !== 202 && status !== 200) throw new Error(`an ask was answered ${status}`)
    return id
  }
  const ready = async (): Promise<boolean> => (await fetch(`${urlNow()}/readyz`).catch(() => undefined))?.status === 200
  return { takeKey, ask, change, askWell, ready }
}

type Gateway = { process: Proc; url: string }

const startGateway = async (build: string, env: Record<string, string>, args: string[]): Promise<Gateway> => {
  const port = `${await freePort()}`
  const process = startProcess('gateway', join(build, 'gateway/main.mjs'), [], { ...env, PORT: port }, args)
  return { process, url: `http://127.0.0.1:${port}` }
}

const openGateway = async (start: () => Promise<Gateway>) => {
  let now = await start()
  return {
    now: () => now,
    replaceGateway: async (): Promise<number | null> => {
      const before = now
      const next = await start()
      await until('the new gateway is ready', requestsTo(() => next.url).ready, 60_000)
      now = next
      // Wait before stopping, as a load balancer does. A request on its way to the old gateway would otherwise fail.
      await pause(1_000)
      return (await before.process.kill('SIGTERM')).code
    },
  }
}

type EnvOf = (process: string) => Record<string, string>

/** An ingestor runs only if the test starts one. */
const startersOf = (buildNow: () => string, envOf: EnvOf, dir: string) => {
  const started: Proc[] = []
  const startWorker = (n: number, nodeArgs: string[] = []): Proc => {
    const name = `worker-${n}`
    const worker = startProcess(name, join(buildNow(), 'fire/main.mjs'), ['worker'], envOf(name), nodeArgs)
    started.push(worker)
    return worker
  }
  const startIngestor = (): Proc => {
    const env = { ...envOf('ingestor'), DATA_DIR: join(dir, 'data') }
    const ingestor = startProcess('ingestor', join(buildNow(), 'ingestor/main.mjs'), [], env)
    started.push(ingestor)
    return ingestor
  }
  return { started, startWorker, startIngestor }
}

const consumes = ({ output }: Proc): boolean => output.some((line) => line.includes('consuming'))

type Settings = Required<Pick<Options, 'concurrency' | 'policies' | 'keyed' | 'env'>> & {
  dir: string
  witnessUrl: string
}
const settingsOf = async ({
  dir,
  witnessUrl,
  concurrency,
  policies,
  keyed,
  env,
}: Settings): Promise<Record<string, string>> => ({
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
  HEALTH_PORT: '0',
  WITNESS_URL: witnessUrl,
  EMBEDDING_MODEL: 'none',
  CONCURRENCY: `${concurrency}`,
  POLICIES_DIR: await writePolicies(join(dir, 'policies'), policies),
  ...(keyed && withKeys),
  ...env,
  ...(keyed && env['API_KEYS'] !== undefined && { API_KEYS: `${withKeys.API_KEYS},${env['API_KEYS']}` }),
})

type Started = { asked: ReturnType<typeof requestsTo>; members: Proc[]; keyed: boolean }
const whenStarted = async ({ asked, members, keyed }: Started): Promise<void> => {
  await until('the gateway is ready', asked.ready, 60_000)
  await until('the workers consume', () => members.every(consumes), 60_000)
  if (keyed) await asked.takeKey()
}

/** The witness is a separate Redis that no fault affects. */
const openWorld = async ({
  workers = 2,
  fsync = 'everysec',
  concurrency = 16,
  redisArgs = [],
  gatewayArgs = [],
  redisFor = (_, url) => url,
  redisUrl: given,
  policies = [],
  build = dist,
  keyed = false,
  env = {},
}: Options = {}) => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-fire-'))
  const redis = await startPrivateRedis({ appendFsync: fsync, args: redisArgs })
  const at = given ?? redis.url
  const witnessRedis = await startPrivateRedis({ appendFsync: 'no' })
  const witness = new Redis(witnessRedis.url)
  const settings = await settingsOf({ dir, witnessUrl: witnessRedis.url, concurrency, policies, keyed, env })
  const envOf = (name: string) => ({ ...settings, REDIS_URL: redisFor(name, at) })
  const { started, startWorker, startIngestor } = startersOf(() => build, envOf, dir)
  const { now, replaceGateway } = await openGateway(() => startGateway(build, envOf('gateway'), gatewayArgs))
  const crew = fleet(workers, startWorker)
  const client = connectFailFast(at).on('error', () => undefined)
  const store = openRedisRunStore({ redis: client })
  const asked = requestsTo(() => now().url)
  const close = async (): Promise<void> => {
    await crew.stop('SIGKILL')
    await Promise.all([now().process, ...started].map((each) => each.kill('SIGKILL')))
    await store.close()
    client.disconnect()
    witness.disconnect()
    await Promise.all([redis.stop(), witnessRedis.stop()])
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await whenStarted({ asked, members: crew.members, keyed })
  } catch (error) {
    await close()
    throw error
  }
  return {
    url: now().url,
    gateway: now().process,
    redis,
    store,
    crew,
    startFrom: (folder: string): void => void (build = folder),
    replaceGateway,
    witness,
    startWorker,
    startIngestor,
    close,
    calls: counting(witness),
    ...watching(store),
    ...asked,
  }
}
export type World = Awaited<ReturnType<typeof openWorld>>

export const inWorld = async <T>(options: Options, work: (world: World) => Promise<T>): Promise<T> => {
  const world = await openWorld(options)
  try {
    return await work(world)
  } finally {
    await world.close()
  }
}
