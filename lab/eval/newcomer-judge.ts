import type { RunView } from '@plumbline/contracts'

/** README.md explains the fields. */
export type NewcomerQuestion = {
  id: string
  collection: string
  kind: string
  about: string
  question: string
  thread?: { question: string }[]
  /** Alternative answers, each a list of strings that must all appear. Null if the documents contain no answer. */
  gold: string[][] | null
  goldText?: string[][]
  mustNot?: string[]
  inText?: boolean
  absentPart?: string
}

type Wanted = Pick<NewcomerQuestion, 'gold' | 'goldText' | 'mustNot' | 'inText' | 'absentPart'>

export const verdicts = [
  'delivered',
  'nothing found',
  'false absence',
  'wrong',
  'beside the point',
  'held',
  'asked back',
  'right absence',
] as const
export type Verdict = (typeof verdicts)[number]

/** The visible part of an answer. Every compared system returns this type. */
export type VisibleAnswer = { status: string; reason?: string | undefined; said: string; quotes: string[] }

/** Only this many characters are judged, because a user would read no further. */
const mostRead = 2_000

const plain = (text: string): string =>
  text
    .replace(/[`*]/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Matches whole words only. For example, 6 matches neither 16 nor 6.5. */
const holds = (text: string, wanted: string): boolean => {
  const sought = plain(wanted)
  const before = /^[\p{L}\p{N}]/u.test(sought) ? '(?<![\\p{L}\\p{N}])(?<!\\p{N}[.,])' : ''
  const after = /[\p{L}\p{N}]$/u.test(sought) ? '(?![\\p{L}\\p{N}])(?![.,]\\p{N})' : ''
  return new RegExp(before + escaped(sought) + after, 'u').test(text)
}

const holdsOne = (text: string, alternatives: string[][] = []): boolean =>
  alternatives.some((all) => all.every((wanted) => holds(text, wanted)))

/** Removes the quotes from the answer text, because the text repeats them. */
export const visibleAnswer = ({ status, reason, answer }: RunView): VisibleAnswer => {
  const quotes = (answer?.quotes ?? []).map(({ text }) => text)
  const said = quotes.reduce(
    (left, quote) => left.replace(quote, ' '),
    (answer?.text ?? '').replace(/\[\d+(?:,\s*\d+)*\]/g, ''),
  )
  return {
    status,
    reason,
    said,
    quotes: quotes.length > 0 ? quotes : (answer?.citations ?? []).map(({ text }) => text),
  }
}

const saidAbsent = 'unanswered.not-in-documents'
const foundNothing = ['unanswered.nothing-found', 'unanswered.all-irrelevant', 'unanswered.too-little-found']

/** The run's reason, not the text, decides whether an answer claims that the documents contain no answer. */
export const judge = (asked: Wanted, shown: VisibleAnswer): Verdict => {
  const { status, reason = '' } = shown
  const said = plain(shown.said)
  const all = `${said}\n${shown.quotes.map(plain).join('\n')}`.slice(0, mostRead)
  const isWrong = (asked.mustNot ?? []).some((statement) => holds(said, statement))
  if (asked.gold === null) {
    if (isWrong) return 'wrong'
    if (status === 'needs_input') return 'asked back'
    if (status === 'unanswered' || status === 'declined') return 'right absence'
    return status === 'answered' ? 'beside the point' : 'held'
  }
  const isThere = holdsOne(asked.inText ? said.slice(0, mostRead) : all, asked.gold) || holdsOne(said, asked.goldText)
  if (reason === saidAbsent && !(asked.absentPart && isThere)) return 'false absence'
  if (foundNothing.includes(reason)) return 'nothing found'
  if (isWrong) return 'wrong'
  if (status === 'needs_input' && !isThere) return 'asked back'
  if (status !== 'answered' && status !== 'needs_input') return 'held'
  return isThere ? 'delivered' : 'beside the point'
}
