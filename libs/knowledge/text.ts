import { LRUCache } from 'lru-cache'
import snowball from 'snowball-stemmers'
import { majorOf, versionForms, wholeDates } from './number-forms'

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const wordList = (text: string): string[] => oneLine(text).split(' ')

export const plainSigns = (text: string): string =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐-―−]/g, '-')

/** Writes white space, quotes and hyphens in one plain form each. Case, accents and other signs are unchanged. */
export const normal = (text: string): string => oneLine(plainSigns(text.normalize('NFC')))

const bySentence = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The end of a line always ends a sentence. */
export const sentenceSpans = (text: string): { from: number; to: number }[] =>
  Array.from(bySentence.segment(text), ({ segment, index }) => {
    const from = index + segment.length - segment.trimStart().length
    return { from, to: from + segment.trim().length }
  }).filter(({ from, to }) => to > from)

export const sentences = (text: string): string[] => sentenceSpans(text).map(({ from, to }) => text.slice(from, to))

/** Each word goes through all stemmers, because its language is unknown. A query is too short to guess the language. */
const stemmers = (['english', 'german', 'french'] as const).map((language) => snowball.newStemmer(language))

/** Longer tokens are not stemmed. They are usually data, and stemming them would waste time and memory. */
const longest = 60
const stems = new LRUCache<string, string>({
  max: 50_000,
  memoMethod: (word) => (/^\p{L}+$/u.test(word) ? stemmers.reduce((form, stemmer) => stemmer.stem(form), word) : word),
})

export const stem = (word: string): string => (word.length > longest ? word : stems.memo(word))

/** The list lacks words such as `die`, `war` and `son`, because they have another meaning in another language. */
export const stopWords: ReadonlySet<string> = new Set(
  wordList(`
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

export type Span = { token: string; raw: string; start: number; end: number }

export const fold = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text.toLowerCase() : folded(text))

/**
 * Matches accents in Latin, Greek and Cyrillic script, which people often omit. In most other scripts, such marks are
 * vowels or change the letter.
 */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu

const folded = (text: string): string =>
  plainSigns(text.normalize('NFKD').replace(accents, '').normalize('NFC')).toLowerCase()

/** The locale `en` suits all languages, because scripts without spaces are always split with built-in dictionaries. */
const byWord = new Intl.Segmenter('en', { granularity: 'word' })

/** Splits at dots, commas and apostrophes, because the segmenter keeps `l'eau` whole. `1.21` stays one token. */
const pieces = /\d{1,3}(?:,\d{3})+(?:\.\d+)?$|[\p{L}\p{M}\p{N}_]+(?:(?<=\d)\.(?=\d)[\p{L}\p{M}\p{N}_]+)*/gu
const whole = /^[\p{L}\p{M}\p{N}_]+$/u
const possessive = /['’]s$/

const spanAt = (raw: string, start: number): Span => ({
  token: fold(raw).replaceAll(',', ''),
  raw,
  start,
  end: start + raw.length,
})

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

const termsOf = (token: string): string[] =>
  token.includes('_') ? [token, ...token.split('_').filter(Boolean).map(stem)] : [stem(token)]

/**
 * A search for a word in `terms` finds a text with this token. A question with this token searches for the words in
 * `asked`.
 */
export type TermSpan = Span & { terms: string[]; asked: string[] }

const dateTerms = (token: string, forms: readonly string[]): string[] => {
  const [year] = /(?<!\d)\d{4}(?!\d)/.exec(token) ?? []
  return year === undefined ? [] : [year, ...forms]
}

const isContent = ({ token }: Span): boolean => !stopWords.has(token) && /^\p{L}/u.test(token)

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
    // If possible, `terms` and `asked` are the same list, because a large document has millions of tokens.
    return { ...span, terms: major.length > 0 ? [...new Set([...asked, ...major])] : asked, asked }
  })
}

export const terms = (text: string): string[] => termSpans(text).flatMap((span) => span.terms)

export const contentTerms = (text: string): string[] =>
  termSpans(text).flatMap((span) => (stopWords.has(span.token) ? [] : span.asked))

export const words = (text: string): string[] =>
  tokens(text).flatMap((each) => (stopWords.has(each) ? [] : [stem(each)]))

export const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
