import type { GatewayPorts } from '../ports'
import type { Run } from '@plumbline/flow'
import { contentHash } from '../http/request-values'
import { cited, quoted, releasedAnswer, withQuotes } from '../present/answer'

/** What of a released answer is compared with the one before it: its words, whatever blanks stand between them, and the documents it cites. */
type Compared = { digest: string; documents: string[] }

/** Null where nothing was released. */
export const comparedOf = async (store: GatewayPorts['store'], run: Run): Promise<Compared | null> => {
  const answer = releasedAnswer(run)
  if (!answer) return null
  const places = [...answer.citations, ...(answer.quotes ?? [])]
  const evidence = await store.evidence(run.id, [...new Set(places.map(({ passageId }) => passageId))])
  const documents = [...new Set(cited(places, evidence).map(({ documentId }) => documentId))].sort()
  const text = withQuotes(answer.text, quoted(answer.quotes ?? [], evidence))
    .replace(/\s+/g, ' ')
    .trim()
  return { digest: contentHash({ text, documents }), documents }
}
