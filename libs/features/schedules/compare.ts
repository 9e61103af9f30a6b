import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { Run } from '@plumbline/flow'
import { contentHash } from '@plumbline/gateway/http/request-values'
import { cited, quoted, releasedAnswer, withQuotes } from '@plumbline/gateway/present/answer'

/** `digest`: a hash of the documents and of the text, whatever its white space. */
type Compared = { digest: string; documents: string[] }

export const comparedOf = async (store: RunStore, run: Run): Promise<Compared | null> => {
  const answer = releasedAnswer(run)
  if (!answer) return null
  const places = [...answer.citations, ...(answer.quotes ?? [])]
  const evidence = await store.evidence(run.id, [...new Set(places.map(({ passageId }) => passageId))])
  const documents = [...new Set(cited(places, evidence).map(({ documentId }) => documentId))].sort()
  // Ignores row counts, because a count changes when the table grows in another part.
  const quotes = quoted(answer.quotes ?? [], evidence).map(({ rows: _, ...quote }) => quote)
  const text = withQuotes(answer.text, quotes).replace(/\s+/g, ' ').trim()
  return { digest: contentHash({ text, documents }), documents }
}
