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

/** The reader of a run. `desk` is a reviewer, who sees everything. */
export type Audience = 'asker' | 'desk'

export const iso = (at: number): string => new Date(at).toISOString()

const released = new Set(['answered', 'needs_input', 'declined', 'unanswered'])
export const endedWithText = (status: RunStatus): boolean => released.has(status)

/** Returns the answer only in a released status, so that no bug can reveal a held answer to its asker. */
export const releasedAnswer = ({ status, answer }: Pick<Run, 'status' | 'answer'>): Run['answer'] =>
  released.has(status) ? answer : undefined

export const hasEnded = ({ status }: Pick<Run, 'status'>): boolean => EndStatus.options.some((end) => end === status)

export const presentCitations = (citations: CitedPassage[], evidence: Evidence[]): Citation[] => {
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

export const presentQuotes = (quotes: QuotedPlace[], evidence: Evidence[]): Quote[] =>
  quotes.flatMap((quote) =>
    presentCitations([quote], evidence).map((where) => ({
      ...where,
      text: quote.text,
      marks: quote.marks,
      ...(quote.rows && { rows: quote.rows }),
    })),
  )

export const passagePosition = (passage: Pick<Quote, 'title' | 'file' | 'headingPath' | 'page'>): string => {
  const { title, headingPath, page } = passage
  const names = [ownTitle(passage), ...headingPath]
  const path = [title, ...headingPath.filter((part, at) => part !== names[at])].join(' › ')
  return `${path}${page === undefined ? '' : ` (page ${page})`}`
}
export const quotePosition = (quote: Quote): string =>
  [`${passagePosition(quote)} [${quote.n}]`, shownRows(quote)].filter((part) => part !== '').join(' · ')

export const withQuotes = (text: string, quotes: Quote[] = []): string =>
  [text, ...quotes.flatMap((quote) => [quotePosition(quote), quote.text])].filter((part) => part !== '').join('\n\n')

export const hydrate = ({ nearest: _, ...answer }: Released, evidence: Evidence[]): Answer => {
  const quotes = answer.quotes && presentQuotes(answer.quotes, evidence)
  return {
    ...answer,
    kind: answer.kind ?? 'written',
    text: withQuotes(answer.text, quotes),
    citations: presentCitations(answer.citations, evidence),
    quotes,
  }
}

export const nearestIn = ({ nearest }: Released, evidence: Evidence[]): Citation[] | undefined =>
  nearest &&
  presentCitations(
    nearest.map((passageId, at) => ({ n: at + 1, passageId })),
    evidence,
  )

export const passagesOf = ({ citations, quotes = [], nearest = [] }: Released): string[] => [
  ...new Set([...[...citations, ...quotes].map(({ passageId }) => passageId), ...nearest]),
]

export const eventPassages = (event: LedgerEvent): string[] => {
  if (event.type === 'checked') return event.citations.map(({ passageId }) => passageId)
  return event.type === 'ended' && event.answer ? passagesOf(event.answer) : []
}

export const streamEvent = (event: LedgerEvent, evidence: Evidence[], audience: Audience): StreamEvent | null => {
  if (audience === 'asker' && event.audience !== 'asker') return null
  if (event.type === 'checked') return { ...event, citations: presentCitations(event.citations, evidence) }
  if (event.type !== 'ended') return event
  const { answer: kept, by, ...told } = event
  const ended = audience === 'desk' && by !== undefined ? { ...told, by } : told
  const answer = audience === 'desk' ? kept : releasedAnswer(event)
  return answer ? { ...ended, answer: hydrate(answer, evidence), nearest: nearestIn(answer, evidence) } : ended
}
