import type { ChatModel, ChatReply, ChatRequest } from '@plumbline/ports/chat-model'
import { retryOf } from '@plumbline/platform'
import type { Since, WebPage, WebSearch } from '@plumbline/ports/web-search'
import { callerOver } from './caller'
import { guard, resilience, type Guard, type Resilience } from './resilience'
import { noProviderUsage, ProviderError, type FaultKind, type Provider } from './provider'

export type ChatGuard = Guard<ChatRequest, ChatReply>

export const chatModelOver = (guards: [ChatGuard, ...ChatGuard[]], parts: Resilience): ChatModel => {
  const call = callerOver(guards, parts)
  const [{ provider }] = guards
  return {
    name: `${provider.model} at ${provider.host}`,
    chat: ({ onDelta, ...request }) => {
      let begun = false
      const heard =
        onDelta &&
        ((text: string): void => {
          begun = true
          onDelta(text)
        })
      return call(
        { ...request, ...(heard && { onDelta: heard }) },
        { signal: request.signal, onCall: request.onCall, begun: () => begun || request.once === true },
      )
    },
  }
}

type Question = { query: string; k: number; since: Since | undefined }

const timeoutMs = 8_000

const kindOf = (code: string, later: boolean, timed: boolean): FaultKind => {
  if (/\.(malformed|too-large)$/.test(code)) return 'malformed'
  if (!later) return 'rejected'
  return timed || code.endsWith('.rate-limited') ? 'limited' : 'unavailable'
}

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
  operation: 'search',
  asked: ({ query }) => ({ 'gen_ai.retrieval.query.text': query }),
  model: search.name,
  host: 'web',
  estimate: () => 0,
  send: async ({ query, k, since }, signal) => {
    try {
      return { out: await search.search(query, k, signal, since), spent: { ...noProviderUsage, searches: 1 } }
    } catch (error) {
      signal.throwIfAborted()
      throw faultOf(error)
    }
  },
})

export const resilientWebSearch = (search: WebSearch, parts: Partial<Resilience> = {}): WebSearch => {
  const all = { ...resilience, timeoutMs, ...parts }
  const call = callerOver([guard(searchProvider(search), all)], all)
  return { name: search.name, search: async (query, k, signal, since) => call({ query, k, since }, { signal }) }
}
