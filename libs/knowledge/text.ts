import { LRUCache } from 'lru-cache'
import snowball from 'snowball-stemmers'
import { majorOf, versionForms, wholeDates } from './number-forms'

/** White space in one form. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The words of a list that is written as a text. */
export const listed = (text: string): string[] => oneLine(text).split(' ')

/** Quotes and dashes in one form. */
export const plainSigns = (text: string): string =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐-―−]/g, '-')

/** One way to write what looks alike: white space, quotes, dashes and composed letters. Case, accents and every other sign stay. */
export const normal = (text: string): string => oneLine(plainSigns(text.normalize('NFC')))

const bySentence = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Where the sentences of a text stand, in order, without the blanks around them. A line's end ends one, and so may an abbreviation's point. */
export const sentenceSpans = (text: string): { from: number; to: number }[] =>
  Array.from(bySentence.segment(text), ({ segment, index }) => {
    const from = index + segment.length - segment.trimStart().length
    return { from, to: from + segment.trim().length }
  }).filter(({ from, to }) => to > from)

export const sentences = (text: string): string[] => sentenceSpans(text).map(({ from, to }) => text.slice(from, to))

/** Nobody says in which language a text is, and a query is too short to tell, so a word goes through every stemmer in turn. */
const stemmers = (['english', 'german', 'french'] as const).map((language) => snowball.newStemmer(language))

/** Longer ones are data, not words: stemming and keeping them would cost time and memory for nothing. */
const longest = 60
const stems = new LRUCache<string, string>({
  max: 50_000,
  memoMethod: (word) => (/^\p{L}+$/u.test(word) ? stemmers.reduce((form, stemmer) => stemmer.stem(form), word) : word),
})

/** Brings the forms of a word together: stores, stored, storing; Urlaubstag, Urlaubstagen. Words with digits stay as they are. */
export const stem = (word: string): string => (word.length > longest ? word : stems.memo(word))

/** Function words of English, German and French, without those that are a content word in another of the three (die, war, pour, son). */
export const stopWords: ReadonlySet<string> = new Set(
  listed(`
  a about above after again all also am an and any are as at be been before being below between both but by can could did do does doing
  done down during each either else etc every few for from further get had has have having he her here hers him his how however i if in
  into is it its itself just let many may me might more most much must my near neither no nor not of off on once one only onto or other our
  ours out over own per said same shall she should since so some such than that the their theirs them then there these they this those
  through thus to too under until up upon us very via was we were what when where whether which while who whom whose why will with
  within without would yes yet you your yours
  across along although amid among around behind beside beyond despite though throughout toward towards unless whereas
  accordingly additionally besides consequently conversely finally furthermore hence indeed instead likewise meanwhile moreover nevertheless
  nonetheless notably overall respectively similarly specifically therefore s t re ve ll d m don doesn didn isn aren wasn weren won
  aber alle allen aller als auch auf aus bei beim bis da dann das dass dem den denn der des dich diese diesem diesen dieser dieses dir
  doch du durch ein eine einem einen einer eines er es etwas euch gegen haben hatte hatten ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
  ist jede jedem jeden jeder jedes kann kein keine keinem keinen keiner konnen mein meine mich mir muss mussen nach nicht noch nur ob oder
  ohne schon sehr sein seine seinem seinen seiner sich sie sind soll sollen uber um und uns unser unsere unter vom von vor wann warum
  welche welchem welchen welcher welches wem wen wenn wer werden weshalb wie wieso wir wird wo woher wohin wurde wurden zu zum zur
  zwischen au aucun aucune aussi autre autres aux avaient avait avec avez avoir avons ce cela ces cet cette ceux chaque chez combien comme
  comment dans de depuis dois doit doivent dont elle elles en est et etaient etait etre eux il ils je l lequel laquelle lesquels
  lesquelles leur leurs lui ma mais meme mes moi mon ne nos notre nous ont ou par pas pendant peut peuvent pourquoi qu quand que quel
  quelle quelles quels qui quoi sa sans selon ses si sont sous sur tes toi toujours tous tout toute toutes tu une vos votre vous y
`),
)

/** A token and where it stands in the text it was read from. */
export type Span = { token: string; raw: string; start: number; end: number }

/** Lower case without accents; dashes and quotes in one form. */
export const fold = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : folded(text))

/** Marks are vowels or make another letter in most scripts; in these they are accents, which people leave out. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu

const folded = (text: string): string =>
  plainSigns(text.normalize('NFKD').replace(accents, '').normalize('NFC')).toLowerCase()

/** It knows the words of scripts without spaces from its dictionaries, whatever its locale. */
const byWord = new Intl.Segmenter('en', { granularity: 'word' })

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
  for (const { segment, index, isWordLike } of byWord.segment(text)) {
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

/** `terms` find the token in a text. A question with the token looks for `asked`. */
export type TermSpan = Span & { terms: string[]; asked: string[] }

/** The digits of a date are found as the whole date, and its year also alone; the name of its month stays a word. */
const dateTerms = (token: string, forms: readonly string[]): string[] => {
  const [year] = /(?<!\d)\d{4}(?!\d)/.exec(token) ?? []
  return year === undefined ? [] : [year, ...forms]
}

const isContent = ({ token }: Span): boolean => !stopWords.has(token) && /^\p{L}/u.test(token)

/** Every token with its terms. */
export const termSpans = (text: string): TermSpan[] => {
  const dates = wholeDates(text)
  return spans(text).map((span, at, all) => {
    const date = dates.find(({ from, to }) => span.start >= from && span.end <= to)
    if (date && /^\d/.test(span.token)) {
      const asked = dateTerms(span.token, date.forms)
      return { ...span, terms: asked, asked }
    }
    const isOpen = /^\.x(?![\p{L}\p{N}])/iu.test(text.slice(span.end, span.end + 3))
    const asked = [...termsOf(span.token), ...versionForms(span.token, isOpen)]
    const before = all[at - 1]
    const major = before && isContent(before) ? majorOf(span.token, text.slice(before.end, span.start)) : []
    return { ...span, terms: [...new Set([...asked, ...major])], asked }
  })
}

/** What a text is found by, in order and with repeats. */
export const terms = (text: string): string[] => termSpans(text).flatMap((span) => span.terms)

/** The terms of a text that carry a subject: what a query looks for. */
export const contentTerms = (text: string): string[] =>
  termSpans(text).flatMap((span) => (stopWords.has(span.token) ? [] : span.asked))

/** The content words of the text, normalised, in order and with repeats. */
export const words = (text: string): string[] =>
  tokens(text).flatMap((each) => (stopWords.has(each) ? [] : [stem(each)]))

/** A text as a part of a regular expression that finds just it. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
