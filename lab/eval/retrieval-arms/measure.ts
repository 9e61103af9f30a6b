import type { Passage } from '@plumbline/contracts'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { depth, type Arm } from './arms'
import { pairedInterval } from './interval'
import type { Query } from './quoted'

/** `shares`: for each of the first ten ranks, the share of the wanted text found up to that rank. */
export type QueryResult = { shares: number[]; ms: number }

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const sharesOf = ({ wanted }: Query, passages: readonly Passage[]): number[] =>
  Array.from({ length: depth }, (_, at) => mean(wanted.map(({ share }) => share(passages.slice(0, at + 1)))))

export const findAll = async (index: PassageIndex, queries: readonly Query[], arm: Arm): Promise<QueryResult[]> => {
  const found: QueryResult[] = []
  for (const query of queries) {
    const from = performance.now()
    const passages = await arm.find(index, query)
    found.push({ ms: performance.now() - from, shares: sharesOf(query, passages) })
  }
  return found
}

const at = (found: readonly QueryResult[], k: number): number[] => found.map(({ shares }) => shares[k - 1] ?? 0)
export const recallAt = (found: readonly QueryResult[], k: number): number => mean(at(found, k))

/** Returns the 95 % confidence interval of the difference in recall within the first `k` passages. */
export const beside = (
  found: readonly QueryResult[],
  baseline: readonly QueryResult[],
  k: number,
): [low: number, high: number] => pairedInterval(at(found, k), at(baseline, k))

/** Recall is measured for 3 and 5 passages, because the presets use 3 to 5 passages. */
export const judgedAt = [3, 5] as const
/** Returns whether retrieval is not significantly worse than the baseline at any judged number of passages. */
export const standsBeside = (found: readonly QueryResult[], baseline: readonly QueryResult[]): boolean =>
  judgedAt.every((k) => beside(found, baseline, k)[1] >= 0)
