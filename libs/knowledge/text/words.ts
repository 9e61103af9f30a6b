import { stem } from './stem'
import { askWords, stopWords } from './stop-words'

/** Lower case without accents; dashes and quotes in one form. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .toLowerCase()

/** Every token of the text in order, folded, unstemmed: words, numbers, identifiers. */
export const tokens = (text: string): string[] =>
  Array.from(
    fold(text)
      .replace(/(?<=\d),(?=\d{3}\b)/g, '')
      .replace(/'s?\b/g, ' ')
      .matchAll(/\d+(?:\.\d+)+|[\p{L}\p{N}_]+/gu),
    ([token]) => token,
  )

/** The content words of the text, normalised, in order and with repeats. */
export const words = (text: string): string[] => tokens(text).flatMap((token) => (stopWords.has(token) ? [] : [stem(token)]))

/** The content words of a question without the words that only ask. */
export const subjectWords = (question: string): string[] =>
  tokens(question).flatMap((token) => (stopWords.has(token) || askWords.has(token) ? [] : [stem(token)]))
