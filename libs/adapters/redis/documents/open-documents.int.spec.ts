import { describe, expect, it } from 'vitest'
import { openIngestCatalog, type OpenDocument } from './ingest-catalog'
import { keys } from '../client/keys'
import { openCatalog } from './catalog'
import type { RedisClient } from '../client/client'
import { ownRedis } from '../spec/own-redis.spec'

const [tenant, id] = ['t', 'd1']

const { redis } = await ownRedis()
const catalog = openCatalog(redis)

const create = (revision: string, by = catalog) =>
  by.createDocument(tenant, id, revision, {
    told: { title: revision, collection: 'main' },
    source: { kind: 'text' },
    digest: revision,
  })
const begin = async (revision: string): Promise<OpenDocument> => {
  const begun = await openIngestCatalog(redis).begin(id, revision, { isolated: true })
  if (begun.kind !== 'open') throw new Error(begun.kind)
  return begun.open
}

/** Returns a Redis client that calls `by` just before it sends `command` for the first time. */
const interrupted = (command: string, by: () => Promise<unknown>): RedisClient => {
  let came = false
  return new Proxy(redis, {
    get: (client, name: keyof RedisClient) => {
      const held = client[name] as unknown
      if (name !== command || typeof held !== 'function') return held
      return async (...sent: unknown[]): Promise<unknown> => {
        if (!came) {
          came = true
          await by()
        }
        return (held as (...args: unknown[]) => unknown).apply(client, sent)
      }
    },
  })
}
const lookedAfter = async (): Promise<string[]> => {
  await redis.zadd(keys.documentsOpen, 'XX', 1, id)
  const { takeDue, jobOf } = openIngestCatalog(redis)
  const jobs = await Promise.all((await takeDue(10, 60_000)).ids.map(jobOf))
  return jobs.flatMap((job) => job?.revision ?? [])
}

describe('a document in progress is checked', () => {
  it.each(['zrem', 'hmget'])('though it comes while the version before it ends: before %s', async (command) => {
    await create('v1')
    const open = await begin('v1')
    const ending = openIngestCatalog(interrupted(command, () => create('v2')))
    expect(await ending.finish(open, 1)).toEqual({ kind: 'done', before: null })
    expect([await lookedAfter(), await catalog.waiting(tenant)]).toEqual([['v2'], 1])
  })

  it('even if the version before it ends while it is added', async () => {
    await create('v1')
    const open = await begin('v1')
    await create('v2', openCatalog(interrupted('documentCreate', () => openIngestCatalog(redis).finish(open, 1))))
    expect([await lookedAfter(), await catalog.waiting(tenant)]).toEqual([['v2'], 1])
  })

  it('even if it is retried while its failure is reported', async () => {
    await create('v1')
    const open = await begin('v1')
    const failing = openIngestCatalog(interrupted('zrem', () => catalog.retry(tenant, id)))
    expect(await failing.fail(open, { error: 'no', problem: { code: 'x' } })).toBe(true)
    expect([await lookedAfter(), await catalog.waiting(tenant)]).toEqual([['v1'], 1])
  })

  it('until it is indexed, failed or removed', async () => {
    await create('v1')
    await openIngestCatalog(redis).finish(await begin('v1'), 1)
    expect(await catalog.retry(tenant, id)).toBeNull()
    expect([await redis.zcard(keys.documentsOpen), await catalog.waiting(tenant)]).toEqual([0, 0])
    await catalog.removeDocument(tenant, id)
    expect(await openIngestCatalog(redis).reopen(tenant, id)).toBeNull()
    expect([await redis.zcard(keys.documentsOpen), await catalog.waiting(tenant)]).toEqual([0, 0])
  })
})

describe('the lists of documents', () => {
  const listed = async (): Promise<string[]> =>
    (await catalog.documents(tenant, { cursor: null, limit: 10 })).items.map(({ title }) => title)

  it('contain a document that is added while its earlier version is removed', async () => {
    await create('v1')
    await create('v2', openCatalog(interrupted('documentCreate', () => catalog.removeDocument(tenant, id))))
    expect(await listed()).toEqual(['v2'])
    expect(await catalog.collection(tenant, 'main')).toMatchObject({ documents: 1 })
  })

  it('do not contain a document that is removed while it is added', async () => {
    const coming = openCatalog(interrupted('hgetall', () => catalog.removeDocument(tenant, id)))
    await expect(create('v1', coming)).rejects.toMatchObject({ code: 'document.gone', retry: 'later' })
    expect(await listed()).toEqual([])
    expect(await catalog.collection(tenant, 'main')).toBeNull()
    expect(await redis.zcard(keys.documents(tenant))).toBe(0)
  })
})
