import { tokens, words } from '@plumbline/knowledge/text'

const share = (a: string[], b: string[]): number => {
  const left = new Set(a)
  const right = new Set(b)
  const both = [...left].filter((word) => right.has(word)).length
  const either = left.size + right.size - both
  return either === 0 ? 1 : both / either
}

/** Two queries that say the same: word for word, in another order, or but for words without a subject. */
export const nearCopy = (a: string, b: string): boolean => {
  const [left, right] = [words(a), words(b)]
  return left.length + right.length === 0 ? share(tokens(a), tokens(b)) >= 0.8 : share(left, right) >= 0.8
}
