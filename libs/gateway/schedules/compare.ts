import type { GatewayPorts } from '../ports'
import type { Run } from '@plumbline/flow'
import { contentHash } from '../http/request-values'
import { cited, quoted, releasedAnswer, withQuotes } from '../present/answer'

/** The parts of released answers that are compared: a digest of the text, ignoring white space, and the documents. */
type Compared = { digest: string; documents: string[] }

/** Returns the compared parts of the answer of a run, or null if no answer was released. */
export const comparedOf = async (store: GatewayPorts['store'], run: Run): Promise<Compared | null> => {
  const answer = releasedAnswer(run)
  if (!answer) return null
  const places = [...answer.citations, ...(answer.quotes ?? [])]
  const evidence = await store.evidence(run.id, [...new Set(places.map(({ passageId }) => passageId))])
  const documents = [...new Set(cited(places, evidence).map(({ documentId }) => documentId))].sort()
  // The row numbers of quotes are ignored, because they change if the table grows elsewhere.
  const quotes = quoted(answer.quotes ?? [], evidence).map(({ rows: _, ...quote }) => quote)
  const text = withQuotes(answer.text, quotes).replace(/\s+/g, ' ').trim()
  return { digest: contentHash({ text, documents }), documents }
}
