import type { Caller } from '../http/authenticate'
import { limitOf } from '../http/concurrency-limits'
import { bounds } from '../settings'

/** The longest expected time of a search over 500 runs, if no other search is in progress. */
const searchMs = 2_000

export const runSearches = () => {
  const take = limitOf('run searches', bounds.runSearches)
  const lastOf = new Map<string, Promise<unknown>>()
  return async <Found>({ tenant, name }: Caller, search: () => Promise<Found>): Promise<Found> => {
    const giveBack = take(tenant, searchMs)
    const key = `${tenant} ${name}`
    const before = lastOf.get(key) ?? Promise.resolve()
    const found = before.then(search)
    const ended = found.then(
      () => undefined,
      () => undefined,
    )
    lastOf.set(key, ended)
    try {
      return await found
    } finally {
      giveBack()
      if (lastOf.get(key) === ended) lastOf.delete(key)
    }
  }
}
