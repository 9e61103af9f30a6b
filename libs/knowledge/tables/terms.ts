import { spans, stem, stopWords, words } from '../text'

/** What stands for what in these texts: `Power usage effectiveness (PUE)` makes the two one. */
export type Alias = { short: string; long: string[] }

const initials = (phrase: string[]): string => phrase.map((word) => word[0] ?? '').join('')

/** The last words before the brackets whose initials spell the short form, small words left out or not. */
const spelling = (before: string, short: string): string[] | null => {
  const all = spans(before).map(({ token }) => token)
  for (const kept of [all, all.filter((word) => !stopWords.has(word))]) {
    const phrase = kept.slice(-short.length)
    if (phrase.length === short.length && initials(phrase) === short) return phrase
  }
  return null
}

/** The short forms that the texts explain. */
export const aliasesIn = (texts: string[]): Alias[] => {
  const found = new Map<string, string[]>()
  for (const text of texts) {
    for (const match of text.matchAll(/\(([A-Z][A-Za-z]{1,7})\)/g)) {
      const short = (match[1] ?? '').toLowerCase().replace(/s$/, '')
      const long = spelling(text.slice(Math.max(0, match.index - 120), match.index), short)
      if (long && !found.has(short)) found.set(short, long.filter((word) => !stopWords.has(word)).map(stem))
    }
    for (const match of text.matchAll(/\b([A-Z]{2,7})\s?\(([^()]{4,80})\)/g)) {
      const short = (match[1] ?? '').toLowerCase()
      const long = spelling(match[2] ?? '', short)
      if (long && !found.has(short)) found.set(short, long.filter((word) => !stopWords.has(word)).map(stem))
    }
  }
  return [...found].map(([short, long]) => ({ short: stem(short), long }))
}

/** The words of a text and what they stand for. */
export const termsOf = (text: string, aliases: readonly Alias[]): Set<string> => {
  const known = new Set(words(text))
  for (const { short, long } of aliases) {
    if (known.has(short)) long.forEach((word) => known.add(word))
    else if (long.length > 0 && long.every((word) => known.has(word))) known.add(short)
  }
  return known
}
