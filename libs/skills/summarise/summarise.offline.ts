import type { Evidence } from '@plumbline/contracts'
import { words } from '@plumbline/knowledge/text'
import { compose } from '../answer/compose'
import type { Statement } from '../answer/statement'
import { unitsOf } from '../reading/units'
import type { Summarise } from './summarise'

/** Passages under one heading tell of one thing. */
const sectionsOf = (passages: Evidence[]): Evidence[][] => {
  const sections = new Map<string, Evidence[]>()
  for (const passage of passages) {
    const key = passage.headingPath.join('\n')
    sections.set(key, [...(sections.get(key) ?? []), passage])
  }
  return [...sections.values()]
}

/** A document's own words: how much each is used in all of it. */
const weightsIn = (passages: Evidence[]): Map<string, number> => {
  const weights = new Map<string, number>()
  for (const word of passages.flatMap(({ text }) => words(text))) weights.set(word, (weights.get(word) ?? 0) + 1)
  return weights
}

type Scored = Statement & { score: number }

/** The sentence that holds most of what the document is about; one that stands first says so more often. */
const bestOf = (section: Evidence[], weights: Map<string, number>): Scored | null => {
  const scored = section.flatMap((passage, at) =>
    unitsOf(passage)
      .filter(({ kind, text }) => kind === 'sentence' && /[.!?]["”’)]*$/.test(text) && text.length <= 300)
      .map(({ text }, place): Scored => {
        const own = [...new Set(words(text))]
        const weight =
          own.reduce((sum, word) => sum + Math.log(1 + (weights.get(word) ?? 0)), 0) /
          Math.sqrt(Math.max(6, own.length))
        return { text, passageIds: [passage.id], score: weight * (place === 0 ? 1.2 : 1) * (at === 0 ? 1.1 : 1) }
      }),
  )
  return scored.sort((a, b) => b.score - a.score)[0] ?? null
}

/** The best sentence of each section, in the document's order; where there are more sections than room, of those that say most. */
export const offlineSummarise: Summarise = async ({ passages, maxSentences, onDelta }, { signal }) => {
  signal.throwIfAborted()
  const weights = weightsIn(passages)
  const found = sectionsOf(passages).flatMap((section) => bestOf(section, weights) ?? [])
  const kept = new Set([...found].sort((a, b) => b.score - a.score).slice(0, maxSentences))
  const said = found.filter((statement) => kept.has(statement))
  return compose(
    said.length > 0
      ? said
      : [
          {
            text: 'The document holds no sentences that could sum it up',
            passageIds: passages.slice(0, 1).map(({ id }) => id),
          },
        ],
    onDelta,
  )
}
