import { describe, expect, it } from 'vitest'
import { startPrivateRedis } from '@plumbline/platform'
import type { ProviderCall } from '@plumbline/ports/chat-model'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Reranker } from '@plumbline/ports/search-models'
import { cacheLimits, openRedisCache, withFront, type Cache } from './cache'
import { cachedEmbedder, cachedReranker } from './cache'
import { connectFailFast } from '../client/client'
import { keys } from '../client/keys'
import { ownRedis } from '../spec/own-redis.spec'

const never = new AbortController().signal
const quiet = { warn: () => undefined }
const patienceMs = 5_000
const usage = { calls: 1, tokensIn: 1, tokensOut: 0, cents: 0.1 }

const { redis, url } = await ownRedis()
const open = (): Cache => openRedisCache({ redis, log: quiet, patienceMs })
const place = { name: 'spec', limits: { ttlMs: 60_000, entries: 3, maxBytes: 16 } }
const bytes = (text: string): Buffer => Buffer.from(text)

const countedEmbedder = (name = 'spec-3'): Embedder & { asked: string[][] } => {
  const asked: string[][] = []
  return {
    name,
    dimensions: 3,
    asked,
    embed: (texts, _signal, onCall) => {
      asked.push(texts)
      onCall?.({ model: name, usage })
      return Promise.resolve(texts.map((text) => new Float32Array([text.length, 0.1, -1 / 3])))
    },
  }
}
const countedReranker = (name = 'spec'): Reranker & { asked: number } => ({
  name,
  asked: 0,
  rerank(_query, documents, topN, _signal, onCall) {
    this.asked += 1
    onCall?.({ model: name, usage })
    return Promise.resolve(documents.map((_, index) => ({ index, score: 1 / 3 - index })).slice(0, topN))
  },
})
const kept = (name: string, entries: number) => expect.poll(() => redis.hlen(keys.cached(name))).toBe(entries)

describe('the cache in Redis', () => {
  it('returns stored bytes unchanged, and misses everything else', async () => {
    const value = Buffer.from([0, 255, 128, 10, 13])
    await open().put(place, 'a', value)
    expect(await open().get(place, 'a')).toEqual(value)
    expect(await open().get(place, 'b')).toBeNull()
    expect(await open().get({ ...place, name: 'other' }, 'a')).toBeNull()
  })

  it('keeps only the newest entries above its limit', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e'])
      await open().put(
        { ...place, limits: { ...place.limits, ttlMs: 60_000 + key.charCodeAt(0) * 10 } },
        key,
        bytes(key),
      )
    expect(await redis.hkeys(keys.cached('spec'))).toEqual(['c', 'd', 'e'])
    expect(await redis.zcard(keys.cachedEnds('spec'))).toBe(3)
  })

  it('keeps nothing larger than it may', async () => {
    await open().put(place, 'a', bytes('x'.repeat(17)))
    expect(await redis.exists(keys.cached('spec'))).toBe(0)
  })

  it('returns no expired entry, and removes it at the next write', async () => {
    const short = { ...place, limits: { ...place.limits, ttlMs: 30 } }
    await open().put(place, 'long', bytes('1'))
    await open().put(short, 'short', bytes('2'))
    await open().put(place, 'long', bytes('1'))
    await expect.poll(() => open().get(place, 'short')).toBeNull()
    expect(await open().get(place, 'long')).toEqual(bytes('1'))
    await open().put(place, 'next', bytes('3'))
    expect(await redis.hkeys(keys.cached('spec'))).toEqual(['long', 'next'])
    expect(await redis.pttl(keys.cached('spec'))).toBeGreaterThan(1_000)
  })

  it('keeps its time for any number of writers at once', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, at) => open().put(place, `k${at % 8}`, bytes(`${at}`))))
    expect(await redis.hlen(keys.cached('spec'))).toBe(3)
    expect((await redis.hkeys(keys.cached('spec'))).sort()).toEqual(
      (await redis.zrange(keys.cachedEnds('spec'), '0', '-1')).sort(),
    )
  })

  it('is bypassed at once while Redis is away, and retried later', async () => {
    const gone = await startPrivateRedis()
    const client = connectFailFast(gone.url)
    await expect.poll(() => client.status).toBe('ready')
    const warned: unknown[] = []
    const cache = openRedisCache({
      redis: client,
      log: { warn: (...said: unknown[]) => void warned.push(said) },
      restMs: 60_000,
    })
    await gone.stop()
    const texts = ['slate']
    const embedder = countedEmbedder()
    const began = performance.now()
    for (let n = 0; n < 20; n += 1) expect(await cachedEmbedder(embedder, cache).embed(texts, never)).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(embedder.asked).toHaveLength(20)
    expect(warned).toHaveLength(1)
    client.disconnect()
  })

  it('is bypassed while Redis is slow', async () => {
    const client = connectFailFast(url)
    await expect.poll(() => client.status).toBe('ready')
    await redis.call('CLIENT', ['PAUSE', '1500', 'ALL'])
    const cache = openRedisCache({ redis: client, log: quiet, patienceMs: 20, restMs: 60_000 })
    const began = performance.now()
    expect(await cache.get(place, 'a')).toBeNull()
    await cache.put(place, 'a', bytes('a'))
    expect(performance.now() - began).toBeLessThan(1_000)
    await redis.call('CLIENT', ['UNPAUSE'])
    client.disconnect()
  })

  it('keeps recent entries in memory, within limits', async () => {
    const cache = withFront(open(), { entries: 2, forMs: 60_000 })
    for (const key of ['a', 'b', 'c']) await cache.put(place, key, bytes(key))
    await redis.flushall()
    expect([await cache.get(place, 'a'), await cache.get(place, 'b'), await cache.get(place, 'c')]).toEqual([
      null,
      bytes('b'),
      bytes('c'),
    ])
    expect(await withFront(open(), { entries: 2, forMs: 0 }).get(place, 'c')).toBeNull()
  })
})

describe('remembered vectors of queries', () => {
  it('are the very numbers, cost nothing, and are shared by workers', async () => {
    const calls: ProviderCall[] = []
    const first = countedEmbedder()
    const made = await cachedEmbedder(first, open()).embed(['slate', 'amber'], never, (call) => void calls.push(call))
    await kept('vectors', 2)
    const second = countedEmbedder()
    expect(
      await cachedEmbedder(second, open()).embed(['amber', 'slate'], never, (call) => void calls.push(call)),
    ).toEqual([made[1], made[0]])
    expect(second.asked).toEqual([])
    expect(calls).toHaveLength(1)
  })

  it('are asked for only where they are missing, in order', async () => {
    const embedder = countedEmbedder()
    const remembering = cachedEmbedder(embedder, open())
    await remembering.embed(['bb'], never)
    await kept('vectors', 1)
    expect((await remembering.embed(['a', 'bb', 'ccc'], never)).map(([length]) => length)).toEqual([1, 2, 3])
    expect(embedder.asked).toEqual([['bb'], ['a', 'ccc']])
  })

  it.each<[string, Embedder, string]>([
    ['another embedder', countedEmbedder('other'), 'slate'],
    ['another text', countedEmbedder(), 'Slate'],
    [
      'another length',
      { ...countedEmbedder(), dimensions: 2, embed: () => Promise.resolve([new Float32Array(2)]) },
      'slate',
    ],
  ])('are not those of %s', async (_, embedder, text) => {
    await cachedEmbedder(countedEmbedder(), open()).embed(['slate'], never)
    await kept('vectors', 1)
    const [vector] = await cachedEmbedder(embedder, open()).embed([text], never)
    expect(vector).toHaveLength(embedder.dimensions)
    await kept('vectors', 2)
  })

  it('hand out copies', async () => {
    const remembering = cachedEmbedder(countedEmbedder(), withFront(open(), { entries: 9, forMs: 60_000 }))
    await remembering.embed(['slate'], never)
    const [one] = await remembering.embed(['slate'], never)
    one?.fill(0)
    expect((await remembering.embed(['slate'], never))[0]?.[0]).toBe(5)
  })

  it('store nothing if the embedder fails, pass on its error, and stop on their signal', async () => {
    const failing: Embedder = { ...countedEmbedder(), embed: () => Promise.reject(new Error('down')) }
    await expect(cachedEmbedder(failing, open()).embed(['slate'], never)).rejects.toThrow('down')
    await expect(
      cachedEmbedder(countedEmbedder(), open()).embed(['slate'], AbortSignal.abort(new Error('stop'))),
    ).rejects.toThrow('stop')
    expect(await redis.exists(keys.cached('vectors'))).toBe(0)
  })

  it('are not made up where an embedder gives too few', async () => {
    const short: Embedder = { ...countedEmbedder(), embed: () => Promise.resolve([new Float32Array(3)]) }
    await expect(cachedEmbedder(short, open()).embed(['slate', 'amber'], never)).rejects.toMatchObject({
      code: 'embedder.short',
      retry: 'later',
    })
  })

  it('serve two who ask at once', async () => {
    const embedder = countedEmbedder()
    const both = await Promise.all([1, 2].map(() => cachedEmbedder(embedder, open()).embed(['slate'], never)))
    expect(both[0]).toEqual(both[1])
  })
})

describe('remembered ranks', () => {
  const documents = ['one', 'two', 'three']

  it('are the same order and scores, and cost nothing', async () => {
    const calls: ProviderCall[] = []
    const first = await cachedReranker(countedReranker(), open()).rerank(
      'q',
      documents,
      2,
      never,
      (call) => void calls.push(call),
    )
    await kept('reranks', 1)
    const second = countedReranker()
    expect(
      await cachedReranker(second, open()).rerank('q', documents, 2, never, (call) => void calls.push(call)),
    ).toEqual(first)
    expect([second.asked, calls.length]).toEqual([0, 1])
  })

  it.each<[string, Parameters<Reranker['rerank']>, string?]>([
    ['another query', ['Q', documents, 2, never]],
    ['other documents', ['q', ['one', 'two', 'four'], 2, never]],
    ['another order of them', ['q', documents.toReversed(), 2, never]],
    ['another number', ['q', documents, 3, never]],
    ['another reranker', ['q', documents, 2, never], 'other'],
  ])('are not those of %s', async (_, asked, name = 'spec') => {
    await cachedReranker(countedReranker(), open()).rerank('q', documents, 2, never)
    await kept('reranks', 1)
    const reranker = countedReranker(name)
    await cachedReranker(reranker, open()).rerank(...asked)
    expect(reranker.asked).toBe(1)
  })

  it('are computed again if a stored vector is unreadable', async () => {
    await cachedReranker(countedReranker(), open()).rerank('q', documents, 2, never)
    await kept('reranks', 1)
    const [field = ''] = await redis.hkeys(keys.cached('reranks'))
    for (const broken of ['{', '[[7,1]]', '[["0",1]]', '']) {
      await open().put({ name: 'reranks', limits: cacheLimits.reranks }, field, bytes(broken))
      const reranker = countedReranker()
      expect(await cachedReranker(reranker, open()).rerank('q', documents, 2, never)).toHaveLength(2)
      expect(reranker.asked).toBe(1)
      await expect.poll(() => redis.hget(keys.cached('reranks'), field)).toContain('[[0,')
    }
  })
})
