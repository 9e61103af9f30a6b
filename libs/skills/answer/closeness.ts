import type { Passage } from '@plumbline/contracts'
import type { Closeness } from '@plumbline/knowledge/quotes/closest-places'
import { unitText } from '@plumbline/knowledge/quotes/unit-text'
import { unitsIn } from '@plumbline/knowledge/quotes/units'
import type { Embedder } from '@plumbline/ports/search-models'

/** The first comparison with a unit takes about 3 ms of one core. Later ones use a kept vector. */
const mostUnits = 64

const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)

const keyOf = ({ id }: Passage, { from }: { from: number }): string => `${id} ${from}`

/**
 * Compares the units of passages with a question. The passages found first are compared first. Returns undefined if the
 * embedder fails, so that words decide alone.
 */
export const closenessTo = async (
  embedder: Pick<Embedder, 'embed'>,
  question: string,
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<Closeness | undefined> => {
  const units = passages.flatMap((passage) => unitsIn(passage).map((unit) => ({ passage, unit }))).slice(0, mostUnits)
  try {
    const texts = units.map(({ passage, unit }) => unitText(passage, unit))
    const [asked, ...vectors] = await embedder.embed([question, ...texts], signal)
    const known = new Map(
      units.map(({ passage, unit }, at) => {
        const vector = vectors[at]
        return [keyOf(passage, unit), asked && vector ? dot(asked, vector) : undefined]
      }),
    )
    return (passage, unit) => known.get(keyOf(passage, unit))
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
