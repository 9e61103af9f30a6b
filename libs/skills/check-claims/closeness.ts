import { stem, stopWords, tokens } from '@plumbline/knowledge/text'

/** How much of a claim stands word for word in a passage: the share of its pairs of neighbouring words that are neighbours there too. */
export const verbatim = (claim: string, passage: string): number => {
  const said = tokens(claim).map(stem)
  const held = tokens(passage).map(stem)
  if (said.length < 2) return said.length === 1 && held.includes(said[0] ?? '') ? 1 : 0
  const pairs = new Set(held.slice(1).map((word, at) => `${held[at] ?? ''} ${word}`))
  const weights = said.slice(1).map((word, at) => {
    const weight = [said[at] ?? '', word].filter((each) => !stopWords.has(each)).length + 0.5
    return [weight, pairs.has(`${said[at] ?? ''} ${word}`) ? weight : 0] as const
  })
  const total = weights.reduce((sum, [weight]) => sum + weight, 0)
  return weights.reduce((sum, [, kept]) => sum + kept, 0) / total
}
