import { retryOf } from '@plumbline/platform'
import type { Since, WebPage, WebSearch } from '@plumbline/ports/web-search'
import { callerOver } from './caller'
import { resilience } from './defaults'
import { guard, type Resilience } from './guard'
import { nothingSpent, ProviderError, type FaultKind, type Provider } from './provider'

type Question = { query: string; k: number; since: Since | undefined }

const timeoutMs = 8_000

const kindOf = (code: string, later: boolean, timed: boolean): FaultKind => {
  if (/\.(malformed|too-large)$/.test(code)) return 'malformed'
  if (!later) return 'rejected'
  return timed || code.endsWith('.rate-limited') ? 'limited' : 'unavailable'
}

/** A search tells by its error's shape whether it may be asked again, and when. */
const faultOf = (error: unknown): ProviderError => {
  const { code, notBefore }: { code?: unknown; notBefore?: unknown } =
    typeof error === 'object' && error !== null ? error : {}
  const said = typeof code === 'string' ? code : 'the search failed'
  return new ProviderError(kindOf(said, retryOf(error) === 'later', typeof notBefore === 'number'), said, {
    cause: error,
    ...(typeof notBefore === 'number' && { notBefore }),
  })
}

const searchProvider = (search: WebSearch): Provider<Question, WebPage[]> => ({
  model: search.name,
  host: 'web',
  estimate: () => 0,
  send: async ({ query, k, since }, signal) => {
    try {
      return { out: await search.search(query, k, signal, since), spent: { ...nothingSpent, searches: 1 } }
    } catch (error) {
      signal.throwIfAborted()
      throw faultOf(error)
    }
  },
})

/** A web search behind the layer that every provider is behind. */
export const resilientWebSearch = (search: WebSearch, parts: Partial<Resilience> = {}): WebSearch => {
  const all = { ...resilience, timeoutMs, ...parts }
  const call = callerOver([guard(searchProvider(search), all)], all)
  return { name: search.name, search: async (query, k, signal, since) => call({ query, k, since }, { signal }) }
}
