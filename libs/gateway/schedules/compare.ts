import type { GatewayPorts } from '../ports'
import type { Run } from '@plumbline/flow'
import { contentHash } from '../http/request-values'
import { cited, quoted, releasedAnswer, withQuotes } from '../present/answer'

/** The compared parts of a released answer: its words, ignoring white space, and its documents. */
type Compared = { digest: string; documents: string[] }

/** Returns null if nothing was released. */
export const comparedOf = async (store: GatewayPorts['store'], run: Run): Promise<Compared | null> => {
  const answer = releasedAnswer(run)
  if (!answer) return null
  const places = [...answer.citations, ...(answer.quotes ?? [])]
  const evidence = await store.evidence(run.id, [...new Set(places.map(({ passageId }) => passageId))])
  const documents = [...new Set(cited(places, evidence).map(({ documentId }) => documentId))].sort()
  // A table that grows elsewhere changes the count of its rows, but not what is quoted.
  const quotes = quoted(answer.quotes ?? [], evidence).map(({ rows: _, ...quote }) => quote)
  const text = withQuotes(answer.text, quotes)
    .replace(/\s+/g, ' ')
    .trim()
  return { digest: contentHash({ text, documents }), documents }
}
