import type { Citation, Quote, RunView } from '@plumbline/contracts'
import { sharedMarks } from '../ui/shared-words'

type TextRange = [from: number, to: number]

const marksOfQuote = (passage: string, { text, marks }: Pick<Quote, 'text' | 'marks'>): TextRange[] => {
  let start = 0
  return text.split('\n').flatMap((line): TextRange[] => {
    const [from, to] = [start, start + line.length]
    start = to + 1
    const at = line.trim().length > 1 ? passage.indexOf(line) : -1
    if (at === -1) return []
    if (marks.length === 0) return [[at, at + line.length]]
    return marks.filter(([a, b]) => a >= from && b <= to).map(([a, b]) => [at + a - from, at + b - from])
  })
}

const mergedRanges = (ranges: TextRange[]): TextRange[] => {
  const all: TextRange[] = []
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}

const claimsOn = (run: RunView, passageId: string): string[] =>
  run.grounding?.claims.filter((claim) => claim.passageId === passageId).map(({ text }) => text) ?? []
const linesCiting = (run: RunView, n: number): string[] =>
  (run.answer ?? run.partial)?.text.split('\n').filter((line) => line.includes(`[${n}]`)) ?? []

export const claimOf = (run: RunView, { n, passageId }: Pick<Citation, 'n' | 'passageId'>): string => {
  const statements = [...claimsOn(run, passageId), ...linesCiting(run, n)].join('\n')
  return statements === '' ? run.question : statements
}

export const marksIn = (
  run: RunView,
  { n, passageId, text }: Pick<Citation, 'n' | 'passageId' | 'text'>,
): TextRange[] => {
  const quotes = run.answer?.quotes?.filter((quote) => quote.passageId === passageId) ?? []
  if (quotes.length > 0) return mergedRanges(quotes.flatMap((quote) => marksOfQuote(text, quote)))
  const claims = claimsOn(run, passageId)
  return mergedRanges((claims.length > 0 ? claims : linesCiting(run, n)).flatMap((claim) => sharedMarks(claim, text)))
}
