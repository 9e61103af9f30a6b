import type { ApiKeys } from '@plumbline/adapters/redis'
import { type Caller, type Callers, isLoopback } from './authenticate'
import { type FixedKeys, noWayIn, readApiKeys } from './fixed-keys'
import { storedKeys } from './stored-keys'
import { type OidcSettings, tokenCallers } from './token-callers'

type Ways = {
  host: string
  /** As in the environment. */
  fixed: FixedKeys | null
  oidc: OidcSettings | null
  store: ApiKeys
  /** Calls back with the id of a key that was changed in any process. */
  onChange(listener: (id: string) => void): Promise<unknown>
}

/** The keys of the settings; a fault in them is told before anything is opened. */
export const fixedKeys = (text: string | undefined): FixedKeys | null => (text === undefined ? null : readApiKeys(text))

/**
 * All who may come in: the keys of the settings, those of the store, and tokens. Null is local mode: on this machine only, without
 * settings and without a key of an admin in the store.
 */
export const openCallers = async ({ host, fixed, oidc, store, onChange }: Ways): Promise<Callers | null> => {
  if (!fixed && !oidc && !(await store.hasAdmin())) {
    if (isLoopback(host)) return null
    throw noWayIn(host)
  }
  const stored = storedKeys(store)
  // It may take as long as Redis is away; until then keys are read again every few seconds.
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
