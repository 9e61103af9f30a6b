import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '../bm25'
import { fold, names, tokens } from '../text'

/** How many of the first passages may name what comes next, and how many names are followed. */
const most = { passages: 3, names: 6 }

const folded = (text: string): string => ` ${tokens(text).join(' ')} `

/** What the first passages name and the question does not: where the rest of its answer may stand. Empty where they name nothing new. */
export const secondHop = (question: string, first: readonly Passage[]): string => {
  const asked = folded(question)
  const seen = first.slice(0, most.passages)
  const held = new Set(
    seen.flatMap(({ title, headingPath, text }) => queryTerms([title, ...headingPath, text].join('\n'))),
  )
  const uncovered = queryTerms(question).filter((word) => !held.has(word))
  const titles = seen.map(({ title }) => folded(title))
  const named = seen
    .flatMap(({ text }) => names(text))
    .filter((name) => !asked.includes(folded(name)) && !titles.includes(folded(name)))
  const next = [...new Map(named.map((name) => [fold(name), name])).values()].slice(0, most.names)
  return next.length === 0 ? '' : [...uncovered, ...next].join(' ')
}
