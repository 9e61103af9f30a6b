import type { Passage } from '@plumbline/contracts'
import { queryTerms } from '@plumbline/knowledge/bm25'
import type { Closeness } from '@plumbline/knowledge/quotes/closest-places'
import { unitText } from '@plumbline/knowledge/quotes/unit-text'
import { unitsIn } from '@plumbline/knowledge/quotes/units'
import { terms } from '@plumbline/knowledge/text'
import type { Embedder } from '@plumbline/ports/search-models'
import { eld } from 'eld/small'

/** The first comparison with a unit takes about 3 ms of one core. Later ones use a kept vector. */
const mostUnits = 64

const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

const keyOf = ({ id }: Passage, { from }: { from: number }): string => `${id} ${from}`

/** How close the units of passages are to a question, and the highest of these values. */
export type Compared = { closeness: Closeness; best: number }

/**
 * Compares the units of passages with a question. The passages found first are compared first. Returns undefined if the
 * embedder fails, so that words decide alone.
 */
export const compare = async (
  embedder: Pick<Embedder, 'embed'>,
  question: string,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<Compared | undefined> => {
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

/** The encoder knows English only. Its vectors of other languages say nothing of distance. */
const isEnglish = (text: string): boolean => eld.detect(text).language === 'en'
const languageChars = 1_000

/**
 * Below this closeness no unit is about the question, if the passages also hold fewer than half of its words. ADR 053
 * has the closeness of questions that documents answer and of those that they do not.
 */
const leastCloseness = 0.2

/** Returns whether none of the passages is about the question, as far as the encoder can tell. */
export const areDistant = (question: string, passages: readonly Passage[], best: number): boolean => {
  const asked = queryTerms(question)
  const held = new Set(
    passages.flatMap(({ title, headingPath, text }) => terms([title, ...headingPath, text].join('\n'))),
  )
  const share = asked.filter((word) => held.has(word)).length / Math.max(1, asked.length)
  if (best >= leastCloseness || share >= 0.5) return false
  const read = passages
    .map(({ text }) => text)
    .join('\n')
    .slice(0, languageChars)
  return isEnglish(question) && isEnglish(read)
}
