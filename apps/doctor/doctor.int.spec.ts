import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openBullMqJobQueue } from '@plumbline/adapters/bullmq/bullmq-job-queue'
import { openQdrantPassageIndex } from '@plumbline/adapters/qdrant/qdrant-passage-index'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openOpsHistory } from '@plumbline/adapters/redis/ops/history'
import { aclFile } from '@plumbline/adapters/redis/client/acl'
import { freePort, startPrivateCluster, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { onLoopback } from '@plumbline/testing/loopback'
import { startQdrantServer, type QdrantServer } from '@plumbline/testing/qdrant-server/qdrant-server'
import { withPassword } from '@plumbline/testing/redis/users'
import { documentsOf, examine } from './doctor'
import { adoptOriginals } from './documents'
import { deleteDocument, storeDocument } from './spec/stored-documents.spec'

let server: PrivateRedis
let redis: Redis
let qdrant: QdrantServer
let dir: string
let env: Record<string, string>
const closing: (() => unknown)[] = []

beforeAll(async () => {
  server = await startPrivateRedis({ args: ['--maxmemory', '1gb'] })
  redis = new Redis(server.url)
  qdrant = await startQdrantServer({ validate: false })
  dir = mkdtempSync(join(tmpdir(), 'plumbline-doctor-'))
  env = { REDIS_URL: server.url, DATA_DIR: dir }
})
afterAll(async () => {
  for (const close of closing) await close()
  redis.disconnect()
  await Promise.all([server.stop(), qdrant.close()])
  rmSync(dir, { recursive: true })
})

const set = (name: string, value: string) => redis.config('SET', name, value)
/** Starts a proxy that replaces Redis's version number in responses by an older one of the same length. */
const olderRedis = async (): Promise<string> => {
  const proxy = createServer((outside) => {
    const inside = connect(server.port, '127.0.0.1')
    outside.pipe(inside)
    inside.on('data', (chunk: Buffer) =>
      outside.write(chunk.toString('latin1').replace(/redis_version:\d/, 'redis_version:5'), 'latin1'),
    )
    for (const socket of [inside, outside]) socket.on('error', () => undefined)
    outside.once('close', () => inside.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  closing.push(() => proxy.close())
  return `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}
/** Creates the user of the ACL file, but without the rights to one command and to one kind of key. */
const lesserUser = async (): Promise<string> => {
  const line = withPassword(aclFile(), 'hush').split('\n')[1]?.replace(' +xadd', '').replace(' ~audit:{*}:log', '')
  await redis.call('ACL', 'SETUSER', ...(line ?? '').split(' ').slice(1))
  return server.url.replace('://', '://plumbline:hush@')
}
const refusingModels = async (): Promise<string> => {
  const { url, close } = await onLoopback(createHttp((_, response) => response.writeHead(401).end()))
  closing.push(close)
  return `${url}/v1`
}
const pausedQueue = async (): Promise<void> => {
  const queue = openBullMqJobQueue({ connection: redis })
  await queue.setPaused('main', 'grader', true)
  await queue.close()
}
const otherVectors = async (): Promise<void> => {
  const index = await openQdrantPassageIndex({ url: qdrant.url })
  const document = { id: 'd1', collection: 'main', version: '1', metadata: {}, access: [], space: 'of old' }
  const passage = {
    id: 'd1.0',
    documentId: 'd1',
    collection: 'main',
    title: '',
    text: 'slate',
    headingPath: [],
    position: 0,
  }
  await index.write('t', document, [{ passage, vector: Float32Array.of(1, 0) }], new AbortController().signal)
}
const keyFile = (mode: number): string => {
  const file = join(dir, 'a.key')
  writeFileSync(file, 'sk-secret-of-a-file')
  chmodSync(file, mode)
  return file
}
const closedRedis = async (): Promise<string> => {
  const closed = await startPrivateRedis({ args: ['--requirepass', 'hush'] })
  closing.push(() => closed.stop())
  return closed.url
}
const storedDocument = (access?: string[]): Promise<string> => storeDocument(dir, access)
const deletedDocument = (): Promise<string> => deleteDocument(dir, redis)
const skew = (ms: number): void => {
  const { now } = Date
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
  closing.push(() => spy.mockRestore())
}

type Planted = Record<string, string> | void
type Fault = [what: string, plant: () => Planted | Promise<unknown>, check: string, says: RegExp, fix: RegExp]
const faults: Fault[] = [
  [
    'keys are dropped when it is full',
    () => set('maxmemory-policy', 'allkeys-lru'),
    'redis.eviction',
    /allkeys-lru/,
    /noeviction/,
  ],
  [
    'nothing is kept on disk',
    () => set('appendonly', 'no'),
    'redis.persistence',
    /no append-only file/,
    /appendonly yes/,
  ],
  ['the system decides about its disk', () => set('appendfsync', 'no'), 'redis.persistence', /half minute/, /everysec/],
  [
    'it is of an old version',
    async () => ({ REDIS_URL: await olderRedis() }),
    'redis.version',
    /Redis 5\..* older than 6\.2/,
    /Update/,
  ],
  [
    'its user lacks rights',
    async () => ({ REDIS_URL: await lesserUser() }),
    'redis.acl',
    /~audit:\{\*\}:log \+xadd are missing/,
    /ACL SETUSER/,
  ],
  [
    'it is nearly full',
    async () => set('maxmemory', `${Math.round(Number(/used_memory:(\d+)/.exec(await redis.info())?.[1]) * 1.1)}`),
    'redis.memory',
    /has used \d+ of|has used \d+ MB of/,
    /Raise maxmemory/,
  ],
  ['it has no limit', () => set('maxmemory', '0'), 'redis.memory', /no maxmemory/, /three quarters/],
  ['it is a replica', () => redis.call('REPLICAOF', '127.0.0.1', '1'), 'redis.role', /replica/, /redis\+sentinel/],
  [
    'it does not answer',
    async () => ({ REDIS_URL: `redis://me:hush@127.0.0.1:${await freePort()}` }),
    'redis',
    /does not answer at redis:\/\/me:…@/,
    /Check that Redis runs/,
  ],
  [
    'its password is wrong',
    () => ({ REDIS_URL: server.url.replace('://', '://nobody:hush@') }),
    'redis',
    /does not accept the user or the password of REDIS_URL \(WRONGPASS\)/,
    /Correct the user and the password in REDIS_URL/,
  ],
  [
    'it asks for a password',
    async () => ({ REDIS_URL: await closedRedis() }),
    'redis',
    /requires a password, but REDIS_URL contains none/,
    /redis:\/\/user:password@/,
  ],
  ['the clocks are apart', () => skew(5_000), 'clock', /5\.0 s ahead of/, /NTP/],
  ['a queue is paused', pausedQueue, 'queues.paused', /grader in lane main is paused/, /stages\/grader\/resume/],
  [
    'a lane is left',
    async () => void (await redis.sadd('plumbline:lanes', 'old'), await redis.zadd('runs:open:old', Date.now(), 'r1')),
    'lanes',
    /Lane old contains 1 unfinished runs/,
    /LANES=main,old/,
  ],
  [
    'nobody serves a lane',
    () => redis.zadd('runs:open:main', Date.now() - 600_000, 'r1'),
    'queues.stuck',
    /lane main have been due for 10 min/,
    /Start workers/,
  ],
  [
    'no ingestor is at work',
    () => redis.zadd('documents:open', Date.now() - 600_000, 'd1'),
    'queues.stuck',
    /1 documents are waiting/,
    /Start an ingestor/,
  ],
  [
    'tasks were given up',
    () =>
      openOpsHistory(redis).add(
        [],
        [{ runId: 'r1', taskId: 'route', tenant: 't', policy: 'p', reason: 'x', at: Date.now() }],
        Date.now(),
      ),
    'queues.abandoned',
    /Tasks abandoned in the last 24 hours: 1\. .* route of the run r1/,
    /\/ops\/abandoned/,
  ],
  [
    'a provider refuses the key',
    async () => ({ OPENAI_BASE_URL: await refusingModels(), OPENAI_API_KEY: 'sk-hush' }),
    'models',
    /rejects the key \(401\)/,
    /OPENAI_API_KEY/,
  ],
  [
    'Qdrant is not there',
    async () => ({ QDRANT_URL: `http://127.0.0.1:${await freePort()}` }),
    'qdrant',
    /cannot be used/,
    /Start the server/,
  ],
  [
    'Qdrant holds other vectors',
    async () => (await otherVectors(), { QDRANT_URL: qdrant.url }),
    'qdrant.vectors',
    /plumbline\.space\.of-old.*\.2\)/,
    /ingestor/,
  ],
  ['others may read a key', () => ({ COHERE_API_KEY_FILE: keyFile(0o644) }), 'keys.file', /a\.key.*644/, /chmod 600/],
  [
    'a key has a role that does not exist',
    () => ({ API_KEYS: 'a-key-of-24-letters-or-more:t:asker,another-key-of-24-letters:t:asker+viewer' }),
    'keys',
    /API_KEYS, entry 2: unknown role viewer\.$/,
    /Correct API_KEYS: the roles are asker, reviewer/,
  ],
  [
    'the catalog has lost a document',
    async () => ({ DATA_DIR: await storedDocument(['hr']) }),
    'documents.unknown',
    /1 stored document is unknown to the catalog: dlost \(Salaries; tenant t, collection main\)/,
    /npm run plumbline -- doctor --adopt-originals/,
  ],
  [
    'the catalog has lost a document that has no tags',
    async () => ({ DATA_DIR: await storedDocument() }),
    'documents.untagged',
    /1 stored file without stored access tags is unknown to the catalog: dlost/,
    /upload them again/,
  ],
  [
    'the catalog lists a deleted document',
    async () => ({ DATA_DIR: await deletedDocument() }),
    'documents.deleted',
    /The catalog lists 1 document that was deleted: d\w+ \(tenant t\)/,
    /DELETE \/v1\/documents/,
  ],
  ['a key is short', () => ({ API_KEYS: '12345678:t:admin' }), 'keys.short', /1 of the keys/, /openssl rand/],
  [
    'a setting is wrong',
    () => ({ LANES: 'Main Lane' }),
    'settings',
    /LANES\.0: use lower-case/,
    /reference\/settings\.md/,
  ],
  [
    'an address is wrong',
    () => ({ REDIS_URL: 'rediss://a?ca=/nowhere' }),
    'settings',
    /REDIS_URL: ca cannot be read/,
    /reference\/settings\.md/,
  ],
  ['the data folder is gone', () => ({ DATA_DIR: join(dir, 'gone') }), 'data', /does not exist/, /DATA_DIR/],
]

const heal = async (): Promise<void> => {
  vi.restoreAllMocks()
  await redis.call('REPLICAOF', 'NO', 'ONE')
  const right = { 'maxmemory-policy': 'noeviction', appendonly: 'yes', appendfsync: 'everysec', maxmemory: '1gb' }
  for (const [name, value] of Object.entries(right)) await set(name, value)
  await redis.flushall()
}

it('a sound deployment has no finding, and is left as it was', async () => {
  await redis.set('plumbline:shape', '1')
  const before = await redis.info('persistence')
  expect(await examine(env)).toEqual([])
  const changes = (info: string) => /rdb_changes_since_last_save:\d+/.exec(info)?.[0]
  expect(changes(await redis.info('persistence'))).toBe(changes(before))
  expect(await redis.dbsize()).toBe(1)
})

it.each(faults)('%s: it is named with its fix, and nothing else is', async (_, plant, check, says, fix) => {
  const planted = (await plant()) as Planted | string | number
  const settings = { ...env, ...(typeof planted === 'object' ? planted : {}) }
  const found = await examine(settings)
  await heal()
  expect(found).toEqual([
    {
      check,
      level: expect.any(String) as string,
      says: expect.stringMatching(says) as string,
      fix: expect.stringMatching(fix) as string,
    },
  ])
  expect(JSON.stringify(found)).not.toMatch(/hush|sk-secret|12345678/)
})

it('documents that the catalog has lost are added again with their tags, and those without tags are not', async () => {
  const [untagged, DATA_DIR] = [await storedDocument(), await storedDocument(['hr'])]
  const said: string[] = []
  for (const folder of [untagged, DATA_DIR]) {
    const { store, redisUrl } = documentsOf({ ...env, DATA_DIR: folder })
    await adoptOriginals(store, redisUrl, (line) => said.push(line))
  }
  expect(said).toEqual([
    'dlost  text: not added: the document has no stored access tags',
    '0 documents added again.',
    'dlost  Salaries: added again; indexing starts next',
    '1 document added again.',
  ])
  const view = await openCatalog(redis).document('t', 'dlost')
  expect(view).toMatchObject({ title: 'Salaries', collection: 'main', access: ['hr'], status: 'queued' })
  expect(await examine({ ...env, DATA_DIR })).toEqual([])
  await heal()
})

it('the user of the ACL file may read everything except the configuration', async () => {
  const line = withPassword(aclFile(), 'hush').split('\n')[1] ?? ''
  await redis.call('ACL', 'SETUSER', ...line.split(' ').slice(1))
  expect(await examine({ ...env, REDIS_URL: server.url.replace('://', '://plumbline:hush@') })).toEqual([])
})

it('reports lanes that share a cluster node, but not those on three nodes', async () => {
  const cluster = await startPrivateCluster()
  closing.push(() => cluster.stop())
  const lanesOf = async (LANES: string) =>
    (await examine({ ...env, REDIS_URL: cluster.url, LANES })).filter(({ check }) => check !== 'redis.memory')
  expect(await lanesOf('one,two,three,four,five,six,seven')).toMatchObject([
    { check: 'lanes', says: expect.stringMatching(/7 lanes are on only [123] nodes? of/) as string },
  ])
  expect(await lanesOf('main')).toEqual([])
})
