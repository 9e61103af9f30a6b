import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '@plumbline/knowledge/bm25'
import type { Closeness } from '@plumbline/knowledge/quotes/closest-quotes'
import { unitText } from '@plumbline/knowledge/quotes/unit-text'
import { unitsIn } from '@plumbline/knowledge/quotes/units'
import { terms } from '@plumbline/knowledge/text'
import type { Embedder } from '@plumbline/ports/search-models'
import { areEnglish } from './detect-language'

/**
 * The maximum number of compared sentences and rows, because embedding one without a cached vector takes about 3 ms.
 */
const mostUnits = 64

const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

const keyOf = ({ id }: Passage, { from }: { from: number }): string => `${id} ${from}`

export type QuestionCloseness = { closeness: Closeness; best: number }

export const closenessTo = async (
  embedder: Pick<Embedder, 'embed'>,
  question: string,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<QuestionCloseness | undefined> => {
  const units = passages.flatMap((passage) => unitsIn(passage).map((unit) => ({ passage, unit }))).slice(0, mostUnits)
  if (units.length === 0) return undefined
  try {
    const texts = units.map(({ passage, unit }) => unitText(passage, unit))
    const [asked, ...vectors] = await embedder.embed([question, ...texts], signal)
    const values = vectors.map((vector) => (asked ? dot(asked, vector) : 0))
    const known = new Map(units.map(({ passage, unit }, at) => [keyOf(passage, unit), values[at]]))
    return { closeness: (passage, unit) => known.get(keyOf(passage, unit)), best: Math.max(...values) }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

const sharedWords = (question: string, passages: readonly Passage[]): number => {
  const asked = queryTerms(question)
  const held = new Set(
    passages.flatMap(({ title, headingPath, text }) => terms([title, ...headingPath, text].join('\n'))),
  )
  return asked.filter((word) => held.has(word)).length / Math.max(1, asked.length)
}

/** Returns how similar a quoted passage must be to the question: less if they share words (see ADR 053). */
const leastCloseness = (shared: number): number => (shared === 0 ? 0.3 : shared < 0.5 ? 0.2 : 0)

/** Returns whether no passage is similar enough to the question. The encoder can judge only English texts. */
export const areDistant = async (question: string, passages: readonly Passage[], best: number): Promise<boolean> =>
  best < leastCloseness(sharedWords(question, passages)) &&
  areEnglish(question, passages.map(({ text }) => text).join('\n'))
