import { sentences, stem, tokens, words } from '../text'

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Scripts without spaces are searched by pairs of characters. */
const pairs = (token: string): string[] => {
  const signs = [...token]
  return signs.length < 2 ? [token] : signs.slice(1).map((sign, at) => `${signs[at] ?? ''}${sign}`)
}

const forms = (token: string): string[] => (unspaced.test(token) ? pairs(token) : [stem(token)])

/** What a token is found by: its word, the parts of an identifier, pairs of signs where no spaces stand. */
export const tokenWords = (token: string): string[] =>
  token.includes('_') ? [...forms(token), ...token.split('_').filter(Boolean).map(stem)] : forms(token)

/** What a text is found by, in order and with repeats. */
export const indexWords = (text: string): string[] => tokens(text).flatMap(tokenWords)

const mostWords = 64

const contentOf = (text: string): string[] =>
  words(text).flatMap((word) => (unspaced.test(word) ? pairs(word) : [word]))
/** The sentence before each question mark. */
const asked = (query: string): string[] =>
  query
    .split(/[?？]/)
    .slice(0, -1)
    .flatMap((before) => sentences(before).slice(-1))

/** A long story is cut to what it asks, how it ends, and how it begins, in this order. */
const cut = (query: string, content: readonly string[]): readonly string[] =>
  content.length <= mostWords
    ? content
    : [...asked(query).flatMap(contentOf), ...content.slice(-mostWords / 2), ...content]

/** What a query looks for, each once: its content words, or all its words where it has nothing else. */
export const queryWords = (query: string): string[] => {
  const content = cut(query, contentOf(query))
  return [...new Set(content.length > 0 ? content : tokens(query).flatMap(forms))].slice(0, mostWords)
}
