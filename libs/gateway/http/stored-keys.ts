import { LRUCache } from 'lru-cache'
import { isValidKey, hashOfKey, isApiKey, type ApiKey, type ApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import { withGatewayTimeout } from '../ports'
import type { Caller, Callers } from './authenticate'

/** A cached key is read again after this time, because the message about a changed key may be lost. */
const freshMs = 3_000
/** How long a cached key stays valid while the store is unavailable. */
const lastingMs = 5 * 60_000
/** For this time after a failed read, requests use the cached key without waiting for another read. */
const restMs = 1_000
const usedEveryMs = 60_000
const mostKnown = 10_000

type CachedKey = { row: ApiKey; readAt: number; failedAt: number; usedAt: number }

const callerOf = ({ id, tenant, roles, access }: ApiKey): Caller => ({
  tenant,
  roles: new Set(roles),
  name: id,
  access,
})

type Store = Pick<ApiKeys, 'find' | 'noteUse'>

export const storedKeys = (store: Store): Callers & { changed(id: string): void } => {
  const known = new LRUCache<string, CachedKey>({ max: mostKnown })
  const calling = (hash: string, row: ApiKey): Caller | undefined =>
    isValidKey(row, hash, Date.now()) ? callerOf(row) : undefined

  const noteUse = (one: CachedKey): void => {
    if (one.usedAt > Date.now() - usedEveryMs) return
    one.usedAt = Date.now()
    // An error is ignored, because a request should not fail only because its key's time of last use cannot be stored.
    store.noteUse(one.row.id).catch(() => undefined)
  }
  const read = async (hash: string, held: CachedKey | undefined): Promise<Caller | undefined> => {
    const askedAt = performance.now()
    try {
      const row = await withGatewayTimeout(() => store.find(hash))
      if (!row) return void known.delete(hash)
      const one = { row, readAt: askedAt, failedAt: -Infinity, usedAt: held?.usedAt ?? 0 }
      known.set(hash, one)
      noteUse(one)
      return calling(hash, row)
    } catch (error) {
      if (!held || performance.now() - held.readAt > lastingMs) throw error
      held.failedAt = performance.now()
      return calling(hash, held.row)
    }
  }
  return {
    find: (key) => {
      if (!isApiKey(key)) return undefined
      const hash = hashOfKey(key)
      const held = known.get(hash)
      const now = performance.now()
      const isKnown =
        held && (now - held.readAt < freshMs || (now - held.failedAt < restMs && now - held.readAt < lastingMs))
      if (!isKnown) return read(hash, held)
      noteUse(held)
      return calling(hash, held.row)
    },
    changed: (id) => {
      for (const [hash, { row }] of known.entries()) if (row.id === id) known.delete(hash)
    },
  }
}
