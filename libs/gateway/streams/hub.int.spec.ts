import { expect, it } from 'vitest'
import { onReconnect } from '@plumbline/adapters/redis/client/client'
import { openRedisRunStore } from '@plumbline/adapters/redis/runs/redis-run-store'
import { silent } from '@plumbline/platform'
import { asked, sampleRun } from '@plumbline/ports/run-store/sample-run'
import { openHub } from './hub'
import { ownRedis } from '@plumbline/adapters/redis/spec/own-redis.spec'

const { redis } = await ownRedis()

/** A hub on its own store, whose subscriptions wait until the spec lets them through. */
const opened = async () => {
  const store = openRedisRunStore({ redis })
  const { promise: through, resolve: letThrough } = Promise.withResolvers<void>()
  const hub = openHub({
    subscribe: async (id, onChange) => {
      await through
      return store.subscribe(id, onChange)
    },
    onReconnect: (listener) => onReconnect(redis, listener),
    log: silent,
  })
  const commit = async (id: string): Promise<void> => {
    const run = sampleRun({ id })
    await store.create(run, [], 'body')
    const version = (await store.load(id))?.version ?? ''
    expect(await store.commit({ run, version, by: null, events: [asked()], evidence: [] })).toEqual({ kind: 'moved' })
  }
  const close = async (): Promise<void> => {
    hub.stop()
    await store.close()
  }
  return { hub, commit, letThrough, close }
}
const channels = async (): Promise<string[]> => (await redis.pubsub('CHANNELS')) as string[]

it('wakes for a commit between the first read and the subscription', async () => {
  const { hub, commit, letThrough, close } = await opened()
  const listener = hub.listen('early')
  await commit('early')
  letThrough()
  expect(await listener.next(10_000)).toBe('moved')
  await close()
})

it('subscribes to a run only while it has listeners', async () => {
  const { hub, commit, letThrough, close } = await opened()
  letThrough()
  const [one, two] = [hub.listen('both'), hub.listen('both')]
  for (const listener of [one, two]) expect(await listener.next(10_000)).toBe('moved')
  await commit('other')
  await commit('both')
  for (const listener of [one, two]) expect(await listener.next(10_000)).toBe('moved')
  expect(await channels()).toEqual(['run:{both}:ledger'])
  one.close()
  await commit('both')
  expect(await two.next(10_000)).toBe('moved')
  two.close()
  await expect.poll(channels).toEqual([])
  await close()
})
