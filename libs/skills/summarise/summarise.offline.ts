import { closestQuotes } from '@plumbline/knowledge/quotes/closest-quotes'
import type { Summarise } from '../skill/skill'

export const offlineSummarise: Summarise = async ({ question, passages }, { signal }) => {
  signal.throwIfAborted()
  const quotes = closestQuotes(question, passages).map((place, at) => ({ n: at + 1, ...place }))
  return quotes.length > 0
    ? { kind: 'quoted', quotes }
    : { kind: 'refused', reason: 'None of the found passages can be quoted.' }
}
