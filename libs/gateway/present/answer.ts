import {
  type Answer,
  type Citation,
  type CitedPassage,
  EndStatus,
  type Evidence,
  type LedgerEvent,
  ownTitle,
  type Quote,
  type QuotedPlace,
  shownRows,
  type Released,
  type RunStatus,
  type StreamEvent,
} from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'

/** The reader of a view. `asker`: sees only released content. `desk`: a reviewer, who sees everything. */
export type Audience = 'asker' | 'desk'

export const iso = (at: number): string => new Date(at).toISOString()

const released = new Set(['answered', 'needs_input', 'declined', 'unanswered'])
/** Returns whether a run with this status ended with a text for its asker. */
export const endedWithText = (status: RunStatus): boolean => released.has(status)

/**
 * Returns the answer of a run that ended with a text for its asker. For any other status, returns no answer, even if
 * the run contains one. So no bug can reveal a held answer to its asker.
 */
export const releasedAnswer = ({ status, answer }: Pick<Run, 'status' | 'answer'>): Run['answer'] =>
  released.has(status) ? answer : undefined

export const hasEnded = ({ status }: Pick<Run, 'status'>): boolean => EndStatus.options.some((end) => end === status)

export const cited = (citations: CitedPassage[], evidence: Evidence[]): Citation[] => {
  const byId = new Map(evidence.map((passage) => [passage.id, passage]))
  return citations.flatMap(({ n, passageId }) => {
    const passage = byId.get(passageId)
    if (!passage) return []
    const { documentId, collection, title, headingPath, text, page, file, version, date, url, warnings, fetchedAt } =
      passage
    return [
      {
        n,
        passageId,
        documentId,
        collection,
        title,
        headingPath,
        text,
        page,
        file,
        version,
        date,
        url,
        warnings,
        fetchedAt,
      },
    ]
  })
}

/** Returns the quotes with their sources. The text of a quote is the quoted text, not the whole passage. */
export const quoted = (quotes: QuotedPlace[], evidence: Evidence[]): Quote[] =>
  quotes.flatMap((quote) =>
    cited([quote], evidence).map((where) => ({
      ...where,
      text: quote.text,
      marks: quote.marks,
      ...(quote.rows && { rows: quote.rows }),
    })),
  )

/**
 * Returns the source of a passage as one line: title, headings and page. A heading that repeats the part before it is
 * omitted.
 */
export const passagePosition = (passage: Pick<Quote, 'title' | 'file' | 'headingPath' | 'page'>): string => {
  const { title, headingPath, page } = passage
  const names = [ownTitle(passage), ...headingPath]
  const path = [title, ...headingPath.filter((part, at) => part !== names[at])].join(' › ')
  return `${path}${page === undefined ? '' : ` (page ${page})`}`
}
export const quotePosition = (quote: Quote): string =>
  [`${passagePosition(quote)} [${quote.n}]`, shownRows(quote)].filter((part) => part !== '').join(' · ')

/** Returns the answer as plain text, for clients that show only text. Each quote follows the name of its source. */
export const withQuotes = (text: string, quotes: Quote[] = []): string =>
  [text, ...quotes.flatMap((quote) => [quotePosition(quote), quote.text])].filter((part) => part !== '').join('\n\n')

/** Returns the answer with full passages and quotes in place of passage ids. */
export const hydrate = ({ nearest: _, ...answer }: Released, evidence: Evidence[]): Answer => {
  const quotes = answer.quotes && quoted(answer.quotes, evidence)
  return {
    ...answer,
    kind: answer.kind ?? 'written',
    text: withQuotes(answer.text, quotes),
    citations: cited(answer.citations, evidence),
    quotes,
  }
}

/** Returns the nearest passages, best first. */
export const nearestIn = ({ nearest }: Released, evidence: Evidence[]): Citation[] | undefined =>
  nearest &&
  cited(
    nearest.map((passageId, at) => ({ n: at + 1, passageId })),
    evidence,
  )

/** Returns the ids of the passages to load for an answer. */
export const passagesOf = ({ citations, quotes = [], nearest = [] }: Released): string[] => [
  ...new Set([...[...citations, ...quotes].map(({ passageId }) => passageId), ...nearest]),
]

/** Returns the ids of the passages of an event. Only a checked part and the last event of a run have any. */
export const eventPassages = (event: LedgerEvent): string[] => {
  if (event.type === 'checked') return event.citations.map(({ passageId }) => passageId)
  return event.type === 'ended' && event.answer ? passagesOf(event.answer) : []
}

/** Returns a ledger event as this audience may see it, or null if the audience may not see it. */
export const streamEvent = (event: LedgerEvent, evidence: Evidence[], audience: Audience): StreamEvent | null => {
  if (audience === 'asker' && event.audience !== 'asker') return null
  if (event.type === 'checked') return { ...event, citations: cited(event.citations, evidence) }
  if (event.type !== 'ended') return event
  const { answer: kept, by, ...told } = event
  const ended = audience === 'desk' && by !== undefined ? { ...told, by } : told
  const answer = audience === 'desk' ? kept : releasedAnswer(event)
  return answer ? { ...ended, answer: hydrate(answer, evidence), nearest: nearestIn(answer, evidence) } : ended
}
