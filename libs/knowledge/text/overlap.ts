import { words } from './words'

/** The share of `some`'s words, each counted once, that stand in `all`. */
export const coverage = (some: readonly string[], all: readonly string[]): number => {
  const wanted = new Set(some)
  if (wanted.size === 0) return 0
  const there = new Set(all)
  return [...wanted].filter((word) => there.has(word)).length / wanted.size
}

/** How alike two texts are by their words: 0 nothing in common, 1 the same words. */
export const overlapOf = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  const both = [...left].filter((word) => right.has(word)).length
  return left.size + right.size === 0 ? 0 : (2 * both) / (left.size + right.size)
}
export const overlap = (a: string, b: string): number => overlapOf(new Set(words(a)), new Set(words(b)))
