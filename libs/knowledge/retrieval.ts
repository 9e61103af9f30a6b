import { ownTitle, type Passage } from '@plumbline/contracts'
import { normal, words } from './text'

const newer = (a: Passage, b: Passage): boolean => (a.date ?? '') > (b.date ?? '')

const saysSo = (later: Passage, earlier: Passage): boolean =>
  later.documentId !== earlier.documentId && (later.supersedes?.includes(earlier.documentId) ?? false)

/** If two passages supersede each other's document, the newer passage amends the older one. */
const amends = (later: Passage, earlier: Passage): boolean =>
  saysSo(later, earlier) && (!saysSo(earlier, later) || newer(later, earlier))

/** Moves each amendment before the passage that it amends. An amendment of an amendment comes even earlier. */
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

const overlap = (a: string, b: string): number => {
  const [left, right] = [new Set(words(a)), new Set(words(b))]
  const both = [...left].filter((word) => right.has(word)).length
  return left.size + right.size === 0 ? 0 : (2 * both) / (left.size + right.size)
}

/** The amending text must be similar, because an amendment may leave other parts of the document unchanged. */
export const amendedBy = (passage: Passage, among: readonly Passage[]): string | undefined =>
  among.find((other) => amends(other, passage) && overlap(other.text, passage.text) >= alike)?.documentId

/** Returns false if the question names a year in which the passage was valid. */
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

/** The same words may mean something else under another title or heading. */
const keyOf = (passage: Passage): string =>
  JSON.stringify([ownTitle(passage), passage.headingPath, normal(passage.text)])

/** Merges passages with the same text. The newest passage remains, at the best rank of the merged passages. */
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
