import snowball from 'snowball-stemmers'

/** Nobody says in which language a text is, and a query is too short to tell, so a word goes through every stemmer in turn. */
const stemmers = (['english', 'german', 'french'] as const).map((language) => snowball.newStemmer(language))

const mostKept = 50_000
/** Longer ones are data, not words: stemming and keeping them would cost time and memory for nothing. */
const longest = 60
const kept = new Map<string, string>()

/** Brings the forms of a word together: stores, stored, storing; Urlaubstag, Urlaubstagen. Words with digits stay as they are. */
export const stem = (word: string): string => {
  if (word.length > longest) return word
  const held = kept.get(word)
  if (held !== undefined) return held
  const made = /^\p{L}+$/u.test(word) ? stemmers.reduce((form, stemmer) => stemmer.stem(form), word) : word
  if (kept.size >= mostKept) kept.clear()
  kept.set(word, made)
  return made
}
