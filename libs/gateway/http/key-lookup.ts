import type { ApiKeys } from '@plumbline/adapters/redis'
import { type Caller, type Callers, isLoopback } from './authenticate'
import { type FixedKeys, noKeysError, readApiKeys } from './fixed-keys'
import { storedKeys } from './stored-keys'
import { type OidcSettings, tokenCallers } from './token-callers'

type KeySources = {
  host: string
  /** The keys of the settings, or null if none are set. */
  fixed: FixedKeys | null
  oidc: OidcSettings | null
  store: ApiKeys
  /** Calls back with the id of a key that was changed by any process. */
  onChange(listener: (id: string) => void): Promise<unknown>
}

/** Returns the keys of the settings. Throws on invalid entries, before any connection is opened. */
export const fixedKeys = (text: string | undefined): FixedKeys | null => (text === undefined ? null : readApiKeys(text))

/**
 * Opens all ways to authenticate: keys of the settings, keys of the store, and tokens. Returns null for local mode, if
 * none of them is set up and the host is this machine.
 */
export const openKeyLookup = async ({ host, fixed, oidc, store, onChange }: KeySources): Promise<Callers | null> => {
  if (!fixed && !oidc && !(await store.hasAdmin())) {
    if (isLoopback(host)) return null
    throw noKeysError(host)
  }
  const stored = storedKeys(store)
  // Not awaited, because it waits while Redis is away. Until it succeeds, keys are read again every few seconds.
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
