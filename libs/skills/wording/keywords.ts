import { askWords, fold, names, stem, stopWords, years } from '@plumbline/knowledge/text'

const surface = /\d+(?:[.,]\d+)*%?|[\p{L}\p{N}_]+(?:[-'’./][\p{L}\p{N}_]+)*/gu
/** Says only that a value is wanted, never of what. */
const valueWords = new Set(
  ['value', 'values', 'number', 'numbers', 'figure', 'figures', 'data', 'datum', 'detail', 'details'].map(stem),
)

const carries = (word: string): boolean => {
  const plain = fold(word).replace(/['’]s$/, '')
  return !stopWords.has(plain) && !askWords.has(plain)
}

/** The words of a question that carry its subject, as they are written, once each and in order. */
export const keywords = (question: string): string[] => {
  const seen = new Set<string>()
  return Array.from(question.matchAll(surface), ([word]) => word.replace(/['’]s$/, '')).filter((word) => {
    const key = stem(fold(word))
    if (!carries(word) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** What a question fixes (names and years) and what it asks about them. */
export const focus = (question: string): { fixed: string[]; asked: string[] } => {
  const all = keywords(question)
  const named = new Set(names(question).flatMap((name) => keywords(name)))
  const dated = new Set(years(question))
  const fixed = all.filter((word) => named.has(word) || dated.has(word))
  const asked = all.filter((word) => !fixed.includes(word))
  const telling = asked.filter((word) => !valueWords.has(stem(fold(word))))
  return { fixed, asked: telling.length > 0 ? telling : asked }
}
