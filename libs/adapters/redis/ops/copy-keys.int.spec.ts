import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPrivateCluster } from '@plumbline/platform'
import { connectFailFast, whenReady, type RedisClient } from '../client/client'
import { ownRedis } from '../spec/own-redis.spec'
import { copyKeys } from './copy-keys'

const { redis: from } = await ownRedis()

describe('the keys of one Redis', () => {
  let cluster: Awaited<ReturnType<typeof startPrivateCluster>>
  let to: RedisClient
  beforeAll(async () => {
    cluster = await startPrivateCluster()
    to = connectFailFast(cluster.url)
    await whenReady(to, 5_000)
  })
  afterAll(async () => {
    to.disconnect()
    await cluster.stop()
  })
  const fill = async (): Promise<void> => {
    await from.set('bytes', Buffer.from([0, 255, 10]))
    await from.set('ends', 'soon', 'PX', 600_000)
    await from.hset('run:{r1}:state', { run: '{}', version: 'x' })
    await from.zadd('sorted', 1.5, 'a', 2, 'b')
    await from.xadd('stream', '5-1', 'kind', 'asked')
    for (let nth = 0; nth < 500; nth += 1) await from.sadd(`set:${nth}`, 'größer', `${nth}`)
  }

  it('are copied to a cluster with their remaining expiry, by a call that continues an interrupted one', async () => {
    await fill()
    await expect(
      copyKeys(from, to, ({ keys }) => {
        if (keys > 100) throw new Error('cut')
      }),
    ).rejects.toThrow('cut')
    const copied = await copyKeys(from, to, () => undefined)
    expect(copied).toMatchObject({ keys: 505, runs: 1 })
    expect(copied!.copied).toBeLessThan(505)
    expect(await to.getBuffer('bytes')).toEqual(Buffer.from([0, 255, 10]))
    expect(await to.pttl('ends')).toBeGreaterThan(500_000)
    expect(await to.pttl('bytes')).toBe(-1)
    expect(await to.hgetall('run:{r1}:state')).toEqual({ run: '{}', version: 'x' })
    expect(await to.zrange('sorted', '0', '-1', 'WITHSCORES')).toEqual(['a', '1.5', 'b', '2'])
    expect(await to.xrange('stream', '-', '+')).toEqual([['5-1', ['kind', 'asked']]])
    expect((await to.smembers('set:499')).sort()).toEqual(['499', 'größer'])
  })

  it('do not overwrite changes that were made in the target since', async () => {
    await to.set('bytes', 'newer')
    expect(await copyKeys(from, to, () => undefined)).toBeNull()
    expect(await to.get('bytes')).toBe('newer')
  })

  it('are not copied to a Redis that contains other keys', async () => {
    await from.set('theirs', '1')
    await expect(copyKeys(from, from, () => undefined)).rejects.toMatchObject({ code: 'redis.taken' })
    expect(await from.get('plumbline:moved')).toBeNull()
  })
})
