import type { ApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import { type Caller, type Callers, isLoopback } from './authenticate'
import { type FixedKeys, noKeysError, readApiKeys } from './fixed-keys'
import { storedKeys } from './stored-keys'
import { type OidcSettings, tokenCallers } from './token-callers'

type KeySources = {
  host: string
  /** The keys in the settings, or null if the settings have no keys. */
  fixed: FixedKeys | null
  oidc: OidcSettings | null
  store: ApiKeys
  /** Calls the listener with the id of each key that any process changes. */
  onChange(listener: (id: string) => void): Promise<unknown>
}

/** Parses the keys in the settings. Throws on invalid entries. Called before any connection is opened. */
export const fixedKeys = (text: string | undefined): FixedKeys | null => (text === undefined ? null : readApiKeys(text))

/**
 * Opens the lookups for keys of the settings, keys of the store, and tokens. Returns null for local mode: no keys and
 * no issuer are set up, and only this machine can connect.
 */
export const openKeyLookup = async ({ host, fixed, oidc, store, onChange }: KeySources): Promise<Callers | null> => {
  if (!fixed && !oidc && !(await store.hasAdmin())) {
    if (isLoopback(host)) return null
    throw noKeysError(host)
  }
  const stored = storedKeys(store)
  // Not awaited, because the subscription waits while Redis is unavailable. Until the subscription succeeds, cached
  // keys are read again every few seconds.
  onChange(stored.changed).catch(() => undefined)
  const tokens = oidc ? tokenCallers(oidc) : undefined
  const ways: Callers[] = [...(fixed ? [fixed] : []), stored]
  const findIn = (key: string, some: Callers[]) => {
    let found: Caller | undefined | Promise<Caller | undefined>
    for (const way of some) if ((found = way.find(key)) !== undefined) return found
    return undefined
  }
  return {
    find: (key) => findIn(key, tokens ? [...ways, tokens] : ways),
    stillCounts: async (key) =>
      (await findIn(key, ways)) !== undefined || ((await tokens?.stillCounts?.(key)) ?? false),
  }
}
