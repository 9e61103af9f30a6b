import { words } from '@plumbline/knowledge/text'
import type { RewriteQuery } from '../skill'

/** The words of the question that nothing found so far holds; without such words there is no other query to be had. */
export const offlineRewriteQuery: RewriteQuery = async ({ question, triedQueries, failedPassages }, { signal }) => {
  signal.throwIfAborted()
  const seen = new Set(failedPassages.flatMap(({ title, text }) => words(`${title} ${text}`)))
  const query = [...new Set(words(question))].filter((word) => !seen.has(word)).join(' ')
  const tried = new Set([question, ...triedQueries].map((each) => [...new Set(words(each))].sort().join(' ')))
  if (query === '' || tried.has(query.split(' ').sort().join(' '))) return null
  return { query, strategy: 'narrow-focus', reason: 'The words that nothing found holds are searched for alone.' }
}
