import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hashOfKey, type ApiKey } from '@plumbline/adapters/redis/api-keys/api-keys'
import { AppError } from '@plumbline/platform'
import { storedKeys } from './stored-keys'

const key = `pl_${'a'.repeat(64)}`
const other = `pl_${'b'.repeat(64)}`
const row: ApiKey = {
  id: 'key-1',
  tenant: 'a',
  name: 'x',
  roles: ['asker'],
  access: [],
  prefix: 'pl_aaaa',
  hash: hashOfKey(key),
  createdAt: 0,
  createdBy: 'spec',
}

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setImmediate'] }),
)
afterEach(() => void vi.useRealTimers())

/** An in-memory store of keys, which may be away, and counts its reads. */
const openStore = () => {
  const held = new Map([[row.hash, row]])
  const store = { held, reads: 0, uses: 0, isAway: false }
  const away = new AppError('store.unavailable', 'later')
  const find = (hash: string): Promise<ApiKey | null> => {
    store.reads += 1
    return store.isAway ? Promise.reject(away) : Promise.resolve(held.get(hash) ?? null)
  }
  const noteUse = (): Promise<void> => {
    store.uses += 1
    return Promise.resolve()
  }
  return { store, callers: storedKeys({ find, noteUse }) }
}

it('reads a key at most once in three seconds, and again at once after a change', async () => {
  const { store, callers } = openStore()
  expect(await callers.find(key)).toMatchObject({ name: 'key-1', tenant: 'a' })
  for (let n = 0; n < 100; n += 1) expect(callers.find(key)).toMatchObject({ name: 'key-1' })
  expect([store.reads, store.uses]).toEqual([1, 1])
  vi.advanceTimersByTime(3_100)
  await callers.find(key)
  expect(store.reads).toBe(2)
  store.held.clear()
  callers.changed('key-2')
  expect(callers.find(key)).toMatchObject({ name: 'key-1' })
  callers.changed('key-1')
  expect(await callers.find(key)).toBeUndefined()
})

it('does not ask the store about text that cannot be a stored key', () => {
  const { store, callers } = openStore()
  for (const text of ['', 'fixed-admin', 'pl_ab12', `${key}0`, 'a.b.c']) expect(callers.find(text)).toBeUndefined()
  expect(store.reads).toBe(0)
})

it('accepts a known key for five minutes while the store is away, and no other', async () => {
  const { store, callers } = openStore()
  await callers.find(key)
  store.isAway = true
  await expect(callers.find(other)).rejects.toMatchObject({ retry: 'later' })
  vi.advanceTimersByTime(4_000)
  expect(await callers.find(key)).toMatchObject({ name: 'key-1' })
  const { reads } = store
  // For a second after a failed read, no call waits for another read.
  expect(callers.find(key)).toMatchObject({ name: 'key-1' })
  expect(store.reads).toBe(reads)
  vi.advanceTimersByTime(290_000)
  expect(await callers.find(key)).toMatchObject({ name: 'key-1' })
  vi.advanceTimersByTime(10_000)
  await expect(callers.find(key)).rejects.toMatchObject({ retry: 'later' })
  store.isAway = false
  expect(await callers.find(key)).toMatchObject({ name: 'key-1' })
})

it('refuses an expired key, and an old secret after its grace period, without a read', async () => {
  const { store, callers } = openStore()
  store.held.set(row.hash, { ...row, expiresAt: Date.now() + 2_000 })
  await callers.find(key)
  vi.advanceTimersByTime(2_100)
  expect([callers.find(key), store.reads]).toEqual([undefined, 1])
  const rotated = { ...row, hash: 'new', old: { hash: hashOfKey(other), until: Date.now() + 1_000 } }
  store.held.set(hashOfKey(other), rotated)
  expect(await callers.find(other)).toMatchObject({ name: 'key-1' })
  vi.advanceTimersByTime(1_100)
  expect(callers.find(other)).toBeUndefined()
})

it('notes the use of a key once a minute', async () => {
  const { store, callers } = openStore()
  for (let n = 0; n < 25; n += 1) {
    await callers.find(key)
    vi.advanceTimersByTime(5_000)
  }
  expect(store.uses).toBe(3)
})
