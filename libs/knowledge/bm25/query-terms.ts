import { contentTerms, sentences, terms } from '../text'

const mostTerms = 64

/** The sentence before each question mark. */
const asked = (query: string): string[] =>
  query
    .split(/[?？]/)
    .slice(0, -1)
    .flatMap((before) => sentences(before).slice(-1))

/** A long story is cut to what it asks, how it ends, and how it begins, in this order. */
const cut = (query: string, content: readonly string[]): readonly string[] =>
  content.length <= mostTerms
    ? content
    : [...asked(query).flatMap(contentTerms), ...content.slice(-mostTerms / 2), ...content]

/** What a query looks for, each once: its content, or all its words where it has nothing else. */
export const queryTerms = (query: string): string[] => {
  const content = cut(query, contentTerms(query))
  return [...new Set(content.length > 0 ? content : terms(query))].slice(0, mostTerms)
}
