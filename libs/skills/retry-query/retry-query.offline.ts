import { spans, words } from '@plumbline/knowledge/text'
import type { RetryQuery } from '../skill/skill'

export const offlineRetryQuery: RetryQuery = async ({ question, triedQueries, failedPassages }, { signal }) => {
  signal.throwIfAborted()
  const seen = new Set(failedPassages.flatMap(({ title, text }) => words(`${title} ${text}`)))
  // Each word is used once, as the asker wrote it, because web search and embedding need whole words, not stems.
  const left = new Map(
    spans(question).flatMap(({ raw }) => words(raw).flatMap((word) => (seen.has(word) ? [] : [[word, raw] as const]))),
  )
  const tried = new Set([question, ...triedQueries].map((each) => [...new Set(words(each))].sort().join(' ')))
  if (left.size === 0 || tried.has([...left.keys()].sort().join(' '))) return null
  const query = [...left.values()].join(' ')
  return {
    query,
    strategy: 'narrow-focus',
    reason: 'The next search uses only the words that no found passage contains.',
  }
}
