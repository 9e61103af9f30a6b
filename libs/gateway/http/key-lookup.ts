import type { ApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import { type Caller, type Callers, isLoopback } from './authenticate'
import { type FixedKeys, noKeysError, readApiKeys } from './fixed-keys'
import { storedKeys } from './stored-keys'
import type { OidcSettings } from './oidc.env'
import { tokenCallers } from './token-callers'

type KeySources = {
  host: string
  fixed: FixedKeys | null
  oidc: OidcSettings | null
  store: ApiKeys
  onChange(listener: (id: string) => void): Promise<unknown>
}

export const fixedKeys = (text: string | undefined): FixedKeys | null => (text === undefined ? null : readApiKeys(text))

/** Returns null in local mode, where no keys or issuer are set and only this machine can connect. */
export const openKeyLookup = async ({ host, fixed, oidc, store, onChange }: KeySources): Promise<Callers | null> => {
  if (!fixed && !oidc && !(await store.hasAdmin())) {
    if (isLoopback(host)) return null
    throw noKeysError(host)
  }
  const stored = storedKeys(store)
  // The subscription is not awaited, because it waits while Redis is unavailable.
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
