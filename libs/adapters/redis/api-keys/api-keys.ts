import { hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { KeyAccess, KeyRole } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import changeKey from './lua/change-key.lua'
import createKey from './lua/create-key.lua'
import findKey from './lua/find-key.lua'

/** The stored form of an API key. It contains a hash of the secret, but not the secret itself. */
const ApiKey = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  roles: z.array(KeyRole),
  access: KeyAccess,
  prefix: z.string(),
  hash: z.string(),
  createdAt: z.number(),
  createdBy: z.string(),
  expiresAt: z.number().optional(),
  rotatedAt: z.number().optional(),
  /** The hash of the previous secret. The previous secret stays valid until the time `until`. */
  old: z.object({ hash: z.string(), until: z.number() }).optional(),
  revokedAt: z.number().optional(),
})
export type ApiKey = z.infer<typeof ApiKey>
export type NewApiKey = Pick<ApiKey, 'tenant' | 'name' | 'roles' | 'access' | 'createdBy' | 'expiresAt'>
type Changed = { kind: 'changed'; row: ApiKey } | { kind: 'last' } | { kind: 'gone' }

const mostKeys = 500
const listedMs = 90 * 86_400_000
const prefixLength = 7

/** Secret scanners recognize the key by the prefix `pl_`. */
const newSecret = (): string => `pl_${randomBytes(32).toString('hex')}`
export const isApiKey = (text: string): boolean => /^pl_[0-9a-f]{64}$/.test(text)
/** A fast hash without salt is safe here, because keys are long and random. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'base64url')

const endedAt = ({ revokedAt, expiresAt = Infinity }: ApiKey): number => Math.min(revokedAt ?? Infinity, expiresAt)
export const isValidKey = (row: ApiKey, hash: string, now: number): boolean =>
  endedAt(row) > now && (row.hash === hash || (row.old?.hash === hash && row.old.until > now))

const rowOf = (text: unknown): ApiKey | null => (typeof text === 'string' ? ApiKey.parse(JSON.parse(text)) : null)
const allKeys = (tenant: string) => [keys.apiKeys('by-hash'), keys.apiKeys('rows'), keys.apiKeysOf(tenant)]

const listOf = async (redis: RedisClient, tenant: string): Promise<ApiKey[]> => {
  const ids = await redis.smembers(keys.apiKeysOf(tenant))
  if (ids.length === 0) return []
  const rows = await redis.hmget(keys.apiKeys('rows'), ...ids)
  return rows.flatMap((text) => rowOf(text) ?? []).sort((a, b) => b.createdAt - a.createdAt)
}

const forgetOld = async (redis: RedisClient, tenant: string): Promise<void> => {
  const old = (await listOf(redis, tenant)).filter((row) => endedAt(row) < Date.now() - listedMs)
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await redis.hdel(keys.apiKeys('by-hash'), ...old.flatMap(({ hash, old }) => [hash, ...(old ? [old.hash] : [])]))
  await redis.hdel(keys.apiKeys('used'), ...ids)
  await redis.srem(keys.apiKeysOf(tenant), ...ids)
  await redis.hdel(keys.apiKeys('rows'), ...ids)
}

type Change = { to: ApiKey; hash?: string; without: string[]; keepAdmin: boolean }

const changer = (redis: RedisClient) => {
  const { keyChange } = withScripts(redis, { keyChange: { lua: changeKey, numberOfKeys: 3 } })
  return async (tenant: string, id: string, changeOf: (row: ApiKey) => Change): Promise<Changed> => {
    for (;;) {
      const text = await redis.hget(keys.apiKeys('rows'), id)
      const row = rowOf(text)
      if (!row || row.tenant !== tenant || endedAt(row) <= Date.now()) return { kind: 'gone' }
      const { to, hash = '', without, keepAdmin } = changeOf(row)
      const now = keepAdmin ? Date.now() : ''
      const said = await keyChange(...allKeys(tenant), id, text ?? '', JSON.stringify(to), hash, now, ...without)
      if (said === 'last') return { kind: 'last' }
      if (said === 'changed') return { kind: 'changed', row: to }
    }
  }
}

const usesOf = (redis: RedisClient) => ({
  noteUse: async (id: string): Promise<void> => void (await redis.hset(keys.apiKeys('used'), id, Date.now())),
  lastUses: async (ids: string[]): Promise<Map<string, number>> => {
    if (ids.length === 0) return new Map()
    const times = await redis.hmget(keys.apiKeys('used'), ...ids)
    return new Map(ids.flatMap((id, at) => (times[at] ? [[id, Number(times[at])] as const] : [])))
  },
})

/** Opens the store of API keys. The store does not contain the keys that the operator defines in the settings. */
export const openApiKeys = (redis: RedisClient) => {
  const { keyFind, keyCreate } = withScripts(redis, {
    keyFind: { lua: findKey, numberOfKeys: 2 },
    keyCreate: { lua: createKey, numberOfKeys: 3 },
  })
  const change = changer(redis)
  return throughCall(withTimeout(answerWithinMs), {
    find: async (hash: string): Promise<ApiKey | null> =>
      rowOf(await keyFind(keys.apiKeys('by-hash'), keys.apiKeys('rows'), hash)),
    /** Returns the new key with its secret. The secret is not stored, so it cannot be read later. */
    create: async (made: NewApiKey): Promise<{ row: ApiKey; key: string } | null> => {
      await forgetOld(redis, made.tenant)
      const key = newSecret()
      const hash = hashOfKey(key)
      const id = `key-${randomBytes(6).toString('hex')}`
      const row: ApiKey = { id, ...made, prefix: key.slice(0, prefixLength), hash, createdAt: Date.now() }
      const kept = await keyCreate(...allKeys(made.tenant), id, hash, JSON.stringify(row), mostKeys)
      return kept === 1 ? { row, key } : null
    },
    get: async (tenant: string, id: string): Promise<ApiKey | null> => {
      const row = rowOf(await redis.hget(keys.apiKeys('rows'), id))
      return row?.tenant === tenant ? row : null
    },
    list: (tenant: string): Promise<ApiKey[]> => listOf(redis, tenant),
    /** Replaces the secret. The previous secret stays valid for `graceMs`. Older secrets become invalid at once. */
    rotate: async (tenant: string, id: string, graceMs: number): Promise<{ row: ApiKey; key: string } | null> => {
      const key = newSecret()
      const hash = hashOfKey(key)
      const changed = await change(tenant, id, (row) => {
        const now = Date.now()
        const { old, ...kept } = row
        const to: ApiKey = { ...kept, hash, prefix: key.slice(0, prefixLength), rotatedAt: now }
        if (graceMs > 0) to.old = { hash: row.hash, until: now + graceMs }
        const without = [...(old ? [old.hash] : []), ...(graceMs > 0 ? [] : [row.hash])]
        return { to, hash, without, keepAdmin: false }
      })
      return changed.kind === 'changed' ? { row: changed.row, key } : null
    },
    /** Revokes nothing and returns 'last' if `keepAdmin` is true and this is the tenant's last stored admin key. */
    revoke: (tenant: string, id: string, keepAdmin: boolean): Promise<Changed> =>
      change(tenant, id, ({ old, ...row }) => ({
        to: { ...row, revokedAt: Date.now() },
        without: [row.hash, ...(old ? [old.hash] : [])],
        keepAdmin,
      })),
    ...usesOf(redis),
    hasAdmin: async (tenant?: string): Promise<boolean> => {
      const rows =
        tenant === undefined ? (await redis.hvals(keys.apiKeys('rows'))).map(rowOf) : await listOf(redis, tenant)
      const isAdmin = (row: ApiKey | null) => row?.roles.includes('admin') === true && endedAt(row) > Date.now()
      return rows.some(isAdmin)
    },
  })
}
export type ApiKeys = ReturnType<typeof openApiKeys>
