import type { Passage } from '@plumbline/contracts'
import { factsOf, sameFacts, tokens } from '../text'
import { newer } from './newer'

const alike = 0.9
const shingle = 3

const shinglesOf = (text: string): Set<string> => {
  const all = tokens(text)
  return new Set(
    all.slice(0, Math.max(1, all.length - shingle + 1)).map((_, at) => all.slice(at, at + shingle).join(' ')),
  )
}

const jaccard = (a: Set<string>, b: Set<string>): number => {
  if (Math.min(a.size, b.size) < alike * Math.max(a.size, b.size)) return 0
  let both = 0
  for (const one of a) if (b.has(one)) both += 1
  return both / (a.size + b.size - both)
}

/** Under other headings, or in a document whose title names another thing, the same words say something else. */
const placeOf = ({ title, headingPath }: Passage): string => JSON.stringify([headingPath, factsOf(title)])

type Read<P> = { passage: P; place: string; shingles: Set<string> }
const same = (a: Read<Passage>, b: Read<Passage>): boolean =>
  a.place === b.place &&
  (a.passage.text === b.passage.text ||
    (jaccard(a.shingles, b.shingles) >= alike && sameFacts(a.passage.text, b.passage.text)))

/** Passages that say the same are one, in the place of the best; of two dates the newer stands. Differing figures, names or denials are never the same. */
export const withoutDuplicates = <P extends Passage>(ranked: readonly P[]): P[] => {
  const kept: Read<P>[] = []
  for (const passage of ranked) {
    const read = { passage, place: placeOf(passage), shingles: shinglesOf(passage.text) }
    const twin = kept.findIndex((other) => same(read, other))
    const held = kept[twin]
    if (!held) kept.push(read)
    else if (newer(passage, held.passage)) kept[twin] = read
  }
  return kept.map(({ passage }) => passage)
}

/** The same of what is word for word the same, for more than can be read. */
export const eachTextOnce = <Found extends { passage: Passage }>(ranked: readonly Found[]): Found[] => {
  const kept = new Map<string, Found>()
  for (const found of ranked) {
    const key = JSON.stringify([found.passage.text, placeOf(found.passage)])
    const held = kept.get(key)
    if (!held || newer(found.passage, held.passage)) kept.set(key, found)
  }
  return [...kept.values()]
}
