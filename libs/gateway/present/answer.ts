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

/** `asker` sees what was released; `desk` sees everything. */
export type Audience = 'asker' | 'desk'

export const iso = (at: number): string => new Date(at).toISOString()

const released = new Set(['answered', 'needs_input', 'declined', 'unanswered'])
/** It ended with words for its asker. */
export const endedWithWords = (status: RunStatus): boolean => released.has(status)

/** A second lock on the hold: no answer leaves for an asker with a run that ended in another way, whatever the run holds. */
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

/** A quote shows its place alone, not the whole passage that the place stands in. */
export const quoted = (quotes: QuotedPlace[], evidence: Evidence[]): Quote[] =>
  quotes.flatMap((quote) =>
    cited([quote], evidence).map((where) => ({
      ...where,
      text: quote.text,
      marks: quote.marks,
      ...(quote.rows && { rows: quote.rows }),
    })),
  )

/** Where a passage stands, in a line: a title that is also the first heading stands once. */
export const whereOf = (passage: Pick<Quote, 'title' | 'file' | 'headingPath' | 'page'>): string => {
  const { title, headingPath, page } = passage
  const names = [ownTitle(passage), ...headingPath]
  const path = [title, ...headingPath.filter((part, at) => part !== names[at])].join(' › ')
  return `${path}${page === undefined ? '' : ` (page ${page})`}`
}
export const placeOf = (quote: Quote): string =>
  [`${whereOf(quote)} [${quote.n}]`, shownRows(quote)].filter((part) => part !== '').join(' · ')

/** Complete by itself for a client that shows nothing but text: what was written, then each quote below the line of its place. */
export const withQuotes = (text: string, quotes: Quote[] = []): string =>
  [text, ...quotes.flatMap((quote) => [placeOf(quote), quote.text])].filter((part) => part !== '').join('\n\n')

/** The answer as it is shown: each id becomes the passage or the place that it stands for. */
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

/** What was read and comes closest, the best first. */
export const nearestIn = ({ nearest }: Released, evidence: Evidence[]): Citation[] | undefined =>
  nearest &&
  cited(
    nearest.map((passageId, at) => ({ n: at + 1, passageId })),
    evidence,
  )

/** The passages that an answer shows: load these, and no others. */
export const passagesOf = ({ citations, quotes = [], nearest = [] }: Released): string[] => [
  ...new Set([...[...citations, ...quotes].map(({ passageId }) => passageId), ...nearest]),
]

/** The passages an event shows: only the last event of a run has any. */
export const eventPassages = (event: LedgerEvent): string[] =>
  event.type === 'ended' && event.answer ? passagesOf(event.answer) : []

/** A ledger event as this audience may see it, or null. */
export const streamEvent = (event: LedgerEvent, evidence: Evidence[], audience: Audience): StreamEvent | null => {
  if (audience === 'asker' && event.audience !== 'asker') return null
  if (event.type !== 'ended') return event
  const { answer: kept, by, ...told } = event
  const ended = audience === 'desk' && by !== undefined ? { ...told, by } : told
  const answer = audience === 'desk' ? kept : releasedAnswer(event)
  return answer ? { ...ended, answer: hydrate(answer, evidence), nearest: nearestIn(answer, evidence) } : ended
}
