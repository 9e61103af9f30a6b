import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { Run } from '@plumbline/flow'
import { contentHash } from '@plumbline/gateway/http/request-values'
import { presentCitations, presentQuotes, releasedAnswer, withQuotes } from '@plumbline/gateway/present/answer'

/** `digest` is a hash of the cited documents and the answer's text. Changes of white space do not change the hash. */
type Compared = { digest: string; documents: string[] }

export const comparedOf = async (store: RunStore, run: Run): Promise<Compared | null> => {
  const answer = releasedAnswer(run)
  if (!answer) return null
  const places = [...answer.citations, ...(answer.quotes ?? [])]
  const evidence = await store.evidence(run.id, [...new Set(places.map(({ passageId }) => passageId))])
  const documents = [...new Set(presentCitations(places, evidence).map(({ documentId }) => documentId))].sort()
  // Ignore the number of rows of a table, because this number may change while the quoted rows stay the same.
  const quotes = presentQuotes(answer.quotes ?? [], evidence).map(({ rows: _, ...quote }) => quote)
  const text = withQuotes(answer.text, quotes).replace(/\s+/g, ' ').trim()
  return { digest: contentHash({ text, documents }), documents }
}
