import type { Passage } from '@plumbline/contracts'
import { sameFacts, tokens } from '../text'

const alike = 0.9
const shingle = 3

const shinglesOf = (text: string): Set<string> => {
  const all = tokens(text)
  return new Set(all.slice(0, Math.max(1, all.length - shingle + 1)).map((_, at) => all.slice(at, at + shingle).join(' ')))
}

const jaccard = (a: Set<string>, b: Set<string>): number => {
  if (Math.min(a.size, b.size) < alike * Math.max(a.size, b.size)) return 0
  let both = 0
  for (const one of a) if (b.has(one)) both += 1
  return both / (a.size + b.size - both)
}

type Read<P> = { passage: P; shingles: Set<string> }
const same = (a: Read<Passage>, b: Read<Passage>): boolean =>
  a.passage.text === b.passage.text || (jaccard(a.shingles, b.shingles) >= alike && sameFacts(a.passage.text, b.passage.text))

const newer = (a: Passage, b: Passage): boolean => (a.date ?? '') > (b.date ?? '')

/** Passages that say the same are one, in the place of the best; of two dates the newer stands. Differing figures, names or denials are never the same. */
export const withoutDuplicates = <P extends Passage>(ranked: readonly P[]): P[] => {
  const kept: Read<P>[] = []
  for (const passage of ranked) {
    const read = { passage, shingles: shinglesOf(passage.text) }
    const twin = kept.findIndex((other) => same(read, other))
    const held = kept[twin]
    if (!held) kept.push(read)
    else if (newer(passage, held.passage)) kept[twin] = read
  }
  return kept.map(({ passage }) => passage)
}
