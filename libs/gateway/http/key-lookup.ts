import type { ApiKeys } from '@plumbline/adapters/redis'
import { type Caller, type Callers, isLoopback } from './authenticate'
import { type FixedKeys, noKeysError, readApiKeys } from './fixed-keys'
import { storedKeys } from './stored-keys'
import { type OidcSettings, tokenCallers } from './token-callers'

type KeySources = {
  host: string
  /** As in the environment. */
  fixed: FixedKeys | null
  oidc: OidcSettings | null
  store: ApiKeys
  /** Calls back with the id of a key that was changed by any process. */
  onChange(listener: (id: string) => void): Promise<unknown>
}

/** Returns the keys of the settings. Faults are reported before anything is opened. */
export const fixedKeys = (text: string | undefined): FixedKeys | null => (text === undefined ? null : readApiKeys(text))

/**
 * Opens all ways to authenticate: keys of the settings, keys of the store, and tokens. Null is local mode: on this
 * machine only, without any of these.
 */
export const openKeyLookup = async ({ host, fixed, oidc, store, onChange }: KeySources): Promise<Callers | null> => {
  if (!fixed && !oidc && !(await store.hasAdmin())) {
    if (isLoopback(host)) return null
    throw noKeysError(host)
  }
  const stored = storedKeys(store)
  // May take as long as Redis is away. Until then, keys are read again every few seconds.
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
