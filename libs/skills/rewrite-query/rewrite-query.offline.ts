import { spans, words } from '@plumbline/knowledge/text'
import type { RewriteQuery } from '../skill/skill'

/** The words of the question that nothing found so far holds; without such words there is no other query to be had. */
export const offlineRewriteQuery: RewriteQuery = async ({ question, triedQueries, failedPassages }, { signal }) => {
  signal.throwIfAborted()
  const seen = new Set(failedPassages.flatMap(({ title, text }) => words(`${title} ${text}`)))
  // Each word once, as the asker wrote it: a stem is no word to search the web or to embed.
  const left = new Map(
    spans(question).flatMap(({ raw }) => words(raw).flatMap((word) => (seen.has(word) ? [] : [[word, raw] as const]))),
  )
  const tried = new Set([question, ...triedQueries].map((each) => [...new Set(words(each))].sort().join(' ')))
  if (left.size === 0 || tried.has([...left.keys()].sort().join(' '))) return null
  const query = [...left.values()].join(' ')
  return { query, strategy: 'narrow-focus', reason: 'The words that nothing found holds are searched for alone.' }
}
