import { stem } from './stem'
import { askWords, stopWords } from './stop-words'

/** A token and where it stands in the text it was read from. */
export type Span = { token: string; raw: string; start: number; end: number }

/** Lower case without accents; dashes and quotes in one form. */
export const fold = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : folded(text))

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .toLowerCase()

const token = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\p{N}_])|\d+(?:\.\d+)+(?![\p{L}_])|[\p{L}\p{M}\p{N}_]+/gu

/** Every token of the text in order with its place: words, numbers, identifiers; folded, unstemmed. */
export const spans = (text: string): Span[] =>
  Array.from(text.matchAll(token), ({ 0: raw, index }) => ({
    token: raw.includes(',') ? fold(raw).replaceAll(',', '') : fold(raw),
    raw,
    start: index,
    end: index + raw.length,
  })).filter((span) => span.raw !== 's' || !/['’]$/.test(text.slice(0, span.start)))

export const tokens = (text: string): string[] => spans(text).map((span) => span.token)

/** The content words of the text, normalised, in order and with repeats. */
export const words = (text: string): string[] =>
  tokens(text).flatMap((each) => (stopWords.has(each) ? [] : [stem(each)]))

/** The content words of a question without the words that only ask. */
export const subjectWords = (question: string): string[] =>
  tokens(question).flatMap((each) => (stopWords.has(each) || askWords.has(each) ? [] : [stem(each)]))

/** A text as a part of a regular expression that finds just it. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
