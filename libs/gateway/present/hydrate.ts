import type { Answer, Citation, CitedPassage, Evidence, Quote, QuotedPlace, Released } from '@plumbline/contracts'

export const cited = (citations: CitedPassage[], evidence: Evidence[]): Citation[] => {
  const byId = new Map(evidence.map((passage) => [passage.id, passage]))
  return citations.flatMap(({ n, passageId }) => {
    const passage = byId.get(passageId)
    if (!passage) return []
    const { documentId, title, headingPath, text, page, file, version, date, url, fetchedAt } = passage
    return [
      {
        n,
        passageId,
        documentId,
        title,
        headingPath,
        text,
        ...(page !== undefined && { page }),
        ...(file !== undefined && { file }),
        ...(version !== undefined && { version }),
        ...(date !== undefined && { date }),
        ...(url !== undefined && { url }),
        ...(fetchedAt !== undefined && { fetchedAt }),
      },
    ]
  })
}

/** A quote shows its place alone, not the whole passage that the place stands in. */
export const quoted = (quotes: QuotedPlace[], evidence: Evidence[]): Quote[] =>
  quotes.flatMap((quote) =>
    cited([quote], evidence).map((where) => ({ ...where, text: quote.text, marks: quote.marks })),
  )

/** Where a quote stands, in a line: a title that is also the first heading stands once. */
const placeOf = ({ n, title, headingPath, page }: Quote): string => {
  const path = [title, ...headingPath].filter((part, at, all) => part !== all[at - 1]).join(' › ')
  return `${path}${page === undefined ? '' : ` (page ${page})`} [${n}]`
}

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
