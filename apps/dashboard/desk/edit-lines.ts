import type { CitedPassage, Claim, Verdict } from '@plumbline/contracts'
import { numbersIn, withoutNumbers } from './citations'

/** A part of the text that is edited on its own. `gap` is the white space after it. */
export type EditLine = { id: number; text: string; gap: string; before?: string }

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const isBlock = (line: string): boolean => /^\s*(?:[-*+>#|]|\d+[.)]\s)/.test(line)
const isTable = (line: string): boolean => /^\s*\|/.test(line)

const blocksOf = (text: string): string[] =>
  text.split(/(?<=\n)/).reduce<string[]>((all, line) => {
    const last = all.at(-1)
    return last !== undefined && isTable(last) && isTable(line) ? [...all.slice(0, -1), last + line] : [...all, line]
  }, [])
const piecesOf = (block: string): string[] =>
  isBlock(block) ? [block] : [...sentences.segment(block)].map(({ segment }) => segment)

export const linesOf = (text: string): EditLine[] =>
  blocksOf(text)
    .flatMap(piecesOf)
    .reduce<EditLine[]>((all, piece) => {
      const own = piece.trimEnd()
      const last = all.at(-1)
      if (own === '' && last) return [...all.slice(0, -1), { ...last, gap: last.gap + piece }]
      return [...all, { id: all.length, text: own, gap: piece.slice(own.length), before: own }]
    }, [])

export const textOf = (lines: readonly EditLine[]): string =>
  lines
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, gap }) => text + (gap === '' ? ' ' : gap))
    .join('')
    .trim()

const plain = (text: string): string =>
  withoutNumbers(text)
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-*+>#|]+|[\s.!?|]+$/g, '')

export const claimOf = (line: string, claims: readonly Claim[]): Claim | undefined => {
  const own = plain(line)
  if (own === '') return undefined
  return claims.find(({ text }) => plain(text) === own) ?? claims.find(({ text }) => own.includes(plain(text)))
}

type State = { verdict: Verdict | 'changed' | 'removed'; fault?: string }

export const stateOf = ({ text, before }: EditLine, claims: readonly Claim[], known: ReadonlySet<number>): State => {
  if (text.trim() === '') return { verdict: 'removed' }
  const numbers = numbersIn(text)
  const unknown = numbers.filter((n) => !known.has(n))
  const fault =
    numbers.length === 0
      ? 'no citation: this sentence will not pass the check'
      : unknown.length > 0
        ? `${unknown.map((n) => `[${n}]`).join(', ')} ${unknown.length === 1 ? 'is not a source' : 'are not sources'} of this answer`
        : undefined
  const claim = text === before ? claimOf(text, claims) : undefined
  return { verdict: claim?.verdict ?? 'changed', ...(fault !== undefined && { fault }) }
}

const numberFor = (citations: readonly CitedPassage[], passageId: string): number =>
  citations.find((one) => one.passageId === passageId)?.n ?? Math.max(0, ...citations.map(({ n }) => n)) + 1

export const citeIn = (
  text: string,
  { citations, passageId, caret }: { citations: readonly CitedPassage[]; passageId: string; caret: number },
): { text: string; citations: CitedPassage[] } => {
  const n = numberFor(citations, passageId)
  const at = caret > 0 && caret < text.length ? caret : text.replace(/\s*[.!?]?\s*$/, '').length
  return {
    text: `${text.slice(0, at).trimEnd()} [${n}]${text.slice(at)}`.trimStart(),
    citations: citations.some((one) => one.n === n) ? [...citations] : [...citations, { n, passageId }],
  }
}
