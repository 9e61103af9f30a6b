import { useMemo } from 'react'
import {
  type Answer,
  type Citation,
  type Claim,
  cleanName,
  type Quote,
  type RunView,
  shownRows,
} from '@plumbline/contracts'
import { clockTime } from '../ui/time'
import { warningMark, Warnings } from '../ui/warnings'
import { cellRows } from './cell-rows'
import { type OutdatedDocuments, useOutdated } from './outdated-sources'
import { CitedProse, MarkedProse } from './prose'
import { sourceLocation } from './source-panel'

export type OnSource = (n: number, from: HTMLElement) => void

/** Returns the text of an answer before its first quote. The page shows the quotes separately. */
const leadOf = ({ text, quotes = [] }: Answer): string => {
  const [first] = quotes
  if (!first) return text
  const before = text.slice(0, Math.max(0, text.indexOf(`\n\n${first.text}`)))
  return before.slice(0, Math.max(0, before.lastIndexOf('\n\n')))
}

/** Returns the short warning for a citation. The text is empty if there is no warning. */
const markOf = ({ documentId, warnings }: Citation, outdated: OutdatedDocuments): string =>
  [warningMark(warnings), outdated.get(documentId)?.mark ?? ''].filter((mark) => mark !== '').join(', ')

const warningsOf = ({ documentId, warnings = [] }: Citation, outdated: OutdatedDocuments): { words: string }[] => [
  ...warnings,
  ...[outdated.get(documentId) ?? []].flat(),
]

type QuotesProps = { quotes: Quote[]; claim: string; onSource: OnSource; outdated: OutdatedDocuments }
const QuotedPassages = ({ quotes, claim, onSource, outdated }: QuotesProps) => (
  <ol className="quotes">
    {quotes.map((quote, i) => (
      <li key={`${quote.passageId}-${i}`}>
        <p className="small soft">
          <a
            className="cite"
            href={`#source-${quote.n}`}
            onClick={(event) => {
              event.preventDefault()
              onSource(quote.n, event.currentTarget)
            }}
          >
            <span className="unseen">Source </span>
            {quote.n}
          </a>{' '}
          {sourceLocation(quote)}
          {quote.rows && ` · ${shownRows(quote)}`}
          {markOf(quote, outdated) !== '' && <span className="warn"> · {markOf(quote, outdated)}</span>}
        </p>
        <blockquote>
          <MarkedProse text={quote.text} marks={quote.marks} claim={claim} />
        </blockquote>
        <Warnings warnings={warningsOf(quote, outdated)} />
      </li>
    ))}
  </ol>
)

const verdicts: Record<Claim['verdict'], { word: string; tone: string }> = {
  supported: { word: 'supported', tone: 'good' },
  unsupported: { word: 'no evidence', tone: 'warn' },
  contradicted: { word: 'contradicted', tone: 'bad' },
}

export const Claims = ({ claims }: { claims: Claim[] }) => {
  const standing = claims.filter(({ verdict }) => verdict === 'supported').length
  if (claims.length === 0) return null
  return (
    <details className="claims">
      <summary>
        <span className={standing === claims.length ? 'good' : 'warn'} aria-hidden="true">
          {standing === claims.length ? '●' : '○'}
        </span>{' '}
        {standing} of {claims.length} {claims.length === 1 ? 'claim' : 'claims'} supported
      </summary>
      <ul>
        {claims.map(({ text, verdict, reason }, i) => (
          <li key={i}>
            <b className={verdicts[verdict].tone}>{verdicts[verdict].word}</b> {text}
            {reason !== '' && <span className="soft"> ({reason})</span>}
          </li>
        ))}
      </ul>
    </details>
  )
}

type CitedProps = Pick<Answer, 'citations'> & { outdated: OutdatedDocuments }

const SourceWarnings = ({ citations, outdated }: CitedProps) => {
  const words = new Map<string, number[]>()
  for (const citation of citations)
    for (const warning of warningsOf(citation, outdated))
      words.set(warning.words, [...(words.get(warning.words) ?? []), citation.n])
  if (words.size === 0) return null
  return (
    <ul className="warn small" aria-label="Source warnings">
      {[...words].map(([warning, sources]) => (
        <li key={warning}>
          Source {sources.join(', ')}: {cleanName(warning)}
        </li>
      ))}
    </ul>
  )
}

const citationMarks = ({ citations, outdated }: CitedProps): ReadonlyMap<number, string> =>
  new Map(
    citations.flatMap((citation) => {
      const mark = markOf(citation, outdated)
      return mark === '' ? [] : [[citation.n, mark]]
    }),
  )

type AnswerProps = {
  answer: NonNullable<RunView['answer']>
  question: string
  onSource: OnSource
  /** True if the reader saw a part of the text before the answer was complete. That part then stays unchanged. */
  begun?: boolean
}

export const AnswerText = ({ answer, question, onSource, begun = false }: AnswerProps) => {
  const lead = leadOf(answer)
  const { citations } = answer
  const outdated = useOutdated(citations)
  const marks = useMemo(() => citationMarks({ citations, outdated }), [citations, outdated])
  // Highlight the table cells that match this text. An answer without citation marks names no cells: use the question.
  const claim = /\[\d+\]/.test(lead) ? lead : question
  const caveat = answer.caveat !== undefined && <p className="caveat">{answer.caveat}</p>
  return (
    <div className="answer">
      {!begun && caveat}
      {lead !== '' && (
        <CitedProse text={cellRows(lead, begun ? [] : (answer.quotes ?? []))} marks={marks} onSource={onSource} />
      )}
      {begun && caveat}
      {answer.quotes && answer.quotes.length > 0 && (
        <QuotedPassages quotes={answer.quotes} {...{ claim, onSource, outdated }} />
      )}
      {!answer.quotes?.length && <SourceWarnings {...{ citations, outdated }} />}
      {answer.question !== undefined && <p>{answer.question}</p>}
      {answer.cached && (
        <p className="small soft">
          This answer was checked on {clockTime(answer.cached.at)} for the same question. No document has changed since.
        </p>
      )}
    </div>
  )
}
