import { ownTitle, type Passage } from '@plumbline/contracts'
import { normal, words } from './text'

const newer = (a: Passage, b: Passage): boolean => (a.date ?? '') > (b.date ?? '')

const saysSo = (later: Passage, earlier: Passage): boolean =>
  later.documentId !== earlier.documentId && (later.supersedes?.includes(earlier.documentId) ?? false)

/** Of two that say so of each other the newer amends. */
const amends = (later: Passage, earlier: Passage): boolean =>
  saysSo(later, earlier) && (!saysSo(earlier, later) || newer(later, earlier))

/** What amends another goes before it, and so does what amends that. */
export const amendmentsFirst = <P extends Passage>(ranked: readonly P[]): P[] => {
  const order: P[] = []
  const seen = new Set<P>()
  const place = (passage: P): void => {
    if (seen.has(passage)) return
    seen.add(passage)
    for (const later of ranked) if (amends(later, passage)) place(later)
    order.push(passage)
  }
  ranked.forEach(place)
  return order
}

const alike = 0.4

/** How alike two texts are by their words: 0 nothing in common, 1 the same words. */
const overlap = (a: string, b: string): number => {
  const [left, right] = [new Set(words(a)), new Set(words(b))]
  const both = [...left].filter((word) => right.has(word)).length
  return left.size + right.size === 0 ? 0 : (2 * both) / (left.size + right.size)
}

/** The document among these that says something else in this passage's place: an amendment may leave the rest of a document as it was. */
export const amendedBy = (passage: Passage, among: readonly Passage[]): string | undefined =>
  among.find((other) => amends(other, passage) && overlap(other.text, passage.text) >= alike)?.documentId

/** Amended, and no year in which it stood is asked for: its own, or a later one before that of what amends it. */
export const isOutdated = (
  question: string,
  { amendedBy: later, date }: Passage & { amendedBy?: string | undefined },
  among: readonly Passage[],
): boolean => {
  if (later === undefined) return false
  const from = date?.slice(0, 4) ?? ''
  const until = among.find(({ documentId }) => documentId === later)?.date?.slice(0, 4) ?? ''
  const years = question.match(/(?<!\d)\d{4}(?!\d)/g) ?? []
  return !years.some((year) => year === from || (year >= from && year < until))
}

/** Under other headings, or in a document of another title, the same words say something else. */
const keyOf = (passage: Passage): string =>
  JSON.stringify([ownTitle(passage), passage.headingPath, normal(passage.text)])

/** Passages that say the same word for word are one, in the place of the best; of two dates the newer stands. */
export const eachTextOnce = <Found>(ranked: readonly Found[], passageOf: (found: Found) => Passage): Found[] => {
  const kept = new Map<string, Found>()
  for (const found of ranked) {
    const passage = passageOf(found)
    const key = keyOf(passage)
    const held = kept.get(key)
    if (held === undefined || newer(passage, passageOf(held))) kept.set(key, found)
  }
  return [...kept.values()]
}
