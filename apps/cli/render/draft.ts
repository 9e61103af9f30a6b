import { type Claim, clean, cleanName, type ReviewView } from '@plumbline/contracts'
import { sourceLines } from './answer'
import { quoteBlocks, rowBlocks, textWithoutQuotes } from './quotes'
import { count, type Screen, sourceTitle, wrap } from './text'

const failedClaims = (claims: Claim[]): Claim[] => claims.filter(({ verdict }) => verdict !== 'supported')

const marked = (text: string, claims: Claim[], { paint }: Screen): string =>
  claims.reduce((marking, claim, at) => {
    const found = claim.text.trim()
    const mark = paint.marked(`✗${at + 1}`)
    return found !== '' && marking.includes(found)
      ? marking.replace(found, () => `${paint.marked(found)} ${mark}`)
      : marking
  }, clean(text))

const claimLines = (claim: Claim, at: number, review: ReviewView, { paint, width }: Screen): string[] => {
  const passage = review.evidence.find(({ id }) => id === claim.passageId)
  return [
    ...wrap(`${paint.bad(`✗${at + 1}`)} ${cleanName(claim.text)}`, width - 2, '  '),
    ...wrap(
      paint.dim(`${claim.verdict}: ${cleanName(claim.reason)}${passage ? ` (${sourceTitle(passage)})` : ''}`),
      width - 4,
      '     ',
    ),
  ]
}

/** Formats a held draft for the person who decides about it, with the reason for each claim that failed its check. */
export const draftLines = (review: ReviewView, screen: Screen): string[] => {
  const { paint, width } = screen
  const bad = failedClaims(review.claims)
  const score = review.score === null ? '' : `, score ${review.score.toFixed(2)}`
  const head =
    bad.length > 0 ? `${count(bad.length, 'claim')} not supported${score}` : `held back: ${review.reason}${score}`
  const { quotes = [] } = review.draft
  const words = textWithoutQuotes(review.draft)
  const missing = review.parts.filter(({ outcome }) => outcome !== 'answered')
  return [
    '',
    `${paint.bold(`Draft ${review.draft.draft}`)} ${paint.warn(`— ${head}`)}`,
    '',
    ...(words === '' ? [] : wrap(marked(words, bad, screen), width - 2, '  ')),
    '',
    ...bad.flatMap((claim, at) => claimLines(claim, at, review, screen)),
    ...missing.map(({ what, outcome }) =>
      paint.dim(`  ${outcome === 'missed' ? 'not answered' : 'not in the documents'}: ${cleanName(what)}`),
    ),
    ...(words === ''
      ? quoteBlocks(quotes, screen)
      : [...sourceLines(review.draft.citations, screen), ...rowBlocks(quotes, screen)]),
  ]
}

export type Choice = 'retry' | 'guide' | 'approve' | 'end'
const choices: Record<Choice, { key: string; says: string }> = {
  retry: { key: 'y', says: 'write it again' },
  guide: { key: 'g', says: 'write it again with guidance' },
  approve: { key: 'a', says: 'approve it without changes' },
  end: { key: 'n', says: 'end without an answer' },
}

/** Returns the possible choices. Only a reviewer may release a draft that the documents do not support. */
export const choicesOf = (decider: ReviewView['decider']): Choice[] =>
  decider === 'reviewer' ? ['retry', 'guide', 'approve', 'end'] : ['retry', 'guide', 'end']

export const choiceLine = (from: Choice[], { paint }: Screen): string =>
  from.map((choice) => `${paint.accent(choices[choice].key)} ${choices[choice].says}`).join('   ')

/** `text` is the guidance for another draft, or the reason why this draft is released. */
export type ChosenDecision = { choice: Choice; text?: string }

/** Parses a decision: a letter, and perhaps guidance or a reason, as in `g look at 2023` and `a the table is old`. */
export const readChoice = (typed: string, from: Choice[]): ChosenDecision | null => {
  const [key = '', ...rest] = typed.trim().split(/\s+/)
  const choice = from.find((each) => choices[each].key === key.toLowerCase() || each === key.toLowerCase())
  if (!choice || (rest.length > 0 && choice !== 'guide' && choice !== 'approve')) return null
  return rest.length > 0 ? { choice, text: rest.join(' ') } : { choice }
}
