import type { Claim, Evidence, RunView } from '@plumbline/contracts'
import { fold, sentences, tokens, words } from '@plumbline/knowledge/text'
import { names } from './names'
import { numbersIn, withoutCitations } from './text-numbers'

/** `gold`: the number of expected passages, or 0 if unknown. `goldIn` returns which of these a passage contains. */
export type Expected = {
  answers: string[][]
  answerable: boolean
  gold: number
  goldIn: (passage: Evidence) => number[]
}
export type Outcome = { expected: Expected; view: RunView; evidence: Evidence[]; ms: number }

const released = new Set<string>(['answered', 'needs_input', 'declined', 'unanswered'])
export const textOf = ({ view }: Pick<Outcome, 'view'>): string =>
  released.has(view.status) ? (view.answer?.text ?? '') : ''

/** `held`: waits for a person. `declined`: ended without an answer. */
export type Ending = 'answered' | 'held' | 'declined' | 'other'
export const endingOf = (outcome: Pick<Outcome, 'view'>): Ending => {
  const { status } = outcome.view
  if (status === 'parked') return 'held'
  if (status === 'answered') return 'answered'
  return released.has(status) ? 'declined' : 'other'
}

type Share = { of: number; right: number }
export const share = (all: Share[]): number => {
  const [of, right] = [all.reduce((sum, one) => sum + one.of, 0), all.reduce((sum, one) => sum + one.right, 0)]
  return of === 0 ? NaN : right / of
}

export const supportedIn = (claims: Claim[]): Share => {
  return { of: claims.length, right: claims.filter(({ verdict }) => verdict === 'supported').length }
}

/** Counts the text's numbers and names that also occur in the cited passages, without Plumbline's own check. */
export const tracedIn = (text: string, cited: string[]): Share => {
  const said = sentences(text).map(withoutCitations).join('\n')
  const source = cited.join('\n')
  const values = new Set(numbersIn(source).map(({ value }) => value))
  const known = new Set(words(source))
  const folded = fold(source)
  const figures = numbersIn(said).map(({ value }) => values.has(value))
  const named = names(said).map((name) => words(name).every((word) => known.has(word)) || folded.includes(fold(name)))
  const all = [...figures, ...named]
  return { of: all.length, right: all.filter(Boolean).length }
}

const contains = (text: string, part: string): boolean => {
  const wanted = tokens(part).join(' ')
  if (/^(?:yes|no)$/.test(wanted)) return tokens(text)[0] === wanted
  return ` ${tokens(text).join(' ')} `.includes(` ${wanted} `)
}
export const holdsGold = (text: string, answers: string[][]): boolean => {
  const said = withoutCitations(text)
  return said !== '' && answers.some((parts) => parts.length > 0 && parts.every((part) => contains(said, part)))
}

export const wordF1 = (text: string, answers: string[][]): number => {
  const said = tokens(withoutCitations(text))
  const scores = answers.map((parts) => {
    const gold = tokens(parts.join(' '))
    const open = [...gold]
    const both = said.filter((token) => open.includes(token) && open.splice(open.indexOf(token), 1).length > 0).length
    return both === 0 ? 0 : (2 * both) / (said.length + gold.length)
  })
  return Math.max(0, ...scores)
}

/** Averages the precision at each rank that has a gold passage. Gold passages near the top raise the result. */
export const contextPrecision = (ranks: readonly number[][]): number => {
  const hits = ranks.flatMap((gold, rank) =>
    gold.length > 0 ? [ranks.slice(0, rank + 1).filter((one) => one.length > 0).length / (rank + 1)] : [],
  )
  return hits.length === 0 ? 0 : hits.reduce((sum, precision) => sum + precision, 0) / hits.length
}
export const contextRecall = (ranks: readonly number[][], gold: number): number => new Set(ranks.flat()).size / gold

/** With a floor, returns false if a run failed or no answer was released, because such a result proves nothing. */
export const holds = ({
  traced,
  other,
  floor,
}: {
  traced: number | null
  other: number
  floor: number | null
}): boolean => floor === null || (other === 0 && traced !== null && traced >= floor)

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
