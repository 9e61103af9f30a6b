import { ownTitle, type Passage } from '@plumbline/contracts'
import { normal, words } from './text'

const newer = (a: Passage, b: Passage): boolean => (a.date ?? '') > (b.date ?? '')

const saysSo = (later: Passage, earlier: Passage): boolean =>
  later.documentId !== earlier.documentId && (later.supersedes?.includes(earlier.documentId) ?? false)

/**
 * Returns true if `later` supersedes the document of `earlier`. If both supersede each other's document, only the newer
 * passage counts.
 */
const amends = (later: Passage, earlier: Passage): boolean =>
  saysSo(later, earlier) && (!saysSo(earlier, later) || newer(later, earlier))

/** Moves each amending passage before the passage that it amends. An amendment of an amendment comes even earlier. */
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

/**
 * Returns the id of the document that amends this passage. Only a passage with a similar text counts, because an
 * amendment may leave other parts of the document unchanged.
 */
export const amendedBy = (passage: Passage, among: readonly Passage[]): string | undefined =>
  among.find((other) => amends(other, passage) && overlap(other.text, passage.text) >= alike)?.documentId

/** Returns true if the passage is amended, unless the question names a year in which the passage was valid. */
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

/** The key contains the title and the headings, because the same words may mean something else under other headings. */
const keyOf = (passage: Passage): string =>
  JSON.stringify([ownTitle(passage), passage.headingPath, normal(passage.text)])

/** Keeps only the newest of several passages with the same text. That passage takes the best rank of these passages. */
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
