import { plainSigns } from './normal'
import { stem } from './stem'
import { stopWords } from './stop-words'

/** A token and where it stands in the text it was read from. */
export type Span = { token: string; raw: string; start: number; end: number }

/** Lower case without accents; dashes and quotes in one form. */
export const fold = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : folded(text))

/** Marks are vowels or make another letter in most scripts; in these they are accents, which people leave out. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu

const folded = (text: string): string =>
  plainSigns(text.normalize('NFKD').replace(accents, '').normalize('NFC')).toLowerCase()

/** It knows the words of scripts without spaces from its dictionaries, whatever its locale. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The segmenter goes on over dots, commas and apostrophes; here only a figure does: `l'eau` and `end.Next` are two tokens each, `1.21` is one. */
const pieces = /\d{1,3}(?:,\d{3})+(?:\.\d+)?$|[\p{L}\p{M}\p{N}_]+(?:(?<=\d)\.(?=\d)[\p{L}\p{M}\p{N}_]+)*/gu
const whole = /^[\p{L}\p{M}\p{N}_]+$/u
const possessive = /['’]s$/

const spanAt = (raw: string, start: number): Span => ({
  token: fold(raw).replaceAll(',', ''),
  raw,
  start,
  end: start + raw.length,
})

/** Every token of the text in order with its place: words, numbers, identifiers; folded, unstemmed. */
export const spans = (text: string): Span[] => {
  const found: Span[] = []
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue
    if (whole.test(segment)) found.push(spanAt(segment, index))
    else
      for (const { 0: raw, index: at } of segment.replace(possessive, '').matchAll(pieces))
        found.push(spanAt(raw, index + at))
  }
  return found
}

export const tokens = (text: string): string[] => spans(text).map((span) => span.token)

/** What a token is searched by: its stem, and those of an identifier's parts. */
const termsOf = (token: string): string[] =>
  token.includes('_') ? [token, ...token.split('_').filter(Boolean).map(stem)] : [stem(token)]

/** What a text is found by, in order and with repeats. */
export const terms = (text: string): string[] => tokens(text).flatMap(termsOf)

/** The terms of a text that carry a subject: what a query looks for. */
export const contentTerms = (text: string): string[] =>
  tokens(text).flatMap((token) => (stopWords.has(token) ? [] : termsOf(token)))

/** The content words of the text, normalised, in order and with repeats. */
export const words = (text: string): string[] =>
  tokens(text).flatMap((each) => (stopWords.has(each) ? [] : [stem(each)]))

/** A text as a part of a regular expression that finds just it. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
