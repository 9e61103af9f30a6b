import { fold, stem, subjectWords, tokens, words } from '@plumbline/knowledge/text'
import type { CollectionCard } from './route'
import { atWork, everyday, generic } from './vocabulary'

/** `partial`: a description that was made of some headings leaves much out, so that it excludes nothing. `written`: by people. `telling`: each of them says well enough what it is about. */
export type Subject = { text: string; stems: ReadonlySet<string>; partial: boolean; written: boolean; telling: boolean }

/** So many different words describe a subject well enough for a question without any of them to be outside it. */
const tellingWords = 60

const stemsIn = (text: string): Set<string> => new Set(words(text).filter((word) => !generic.has(word)))

export const subjectOf = (cards: CollectionCard[]): Subject => {
  const texts = cards.map(({ name, description }) => `${name.replace(/-/g, ' ')}: ${description}`)
  const text = texts.join('\n')
  const telling = texts.every((each) => stemsIn(each).size >= tellingWords)
  return {
    text,
    stems: stemsIn(text),
    partial: cards.some(({ made }) => made === 'part'),
    written: cards.every(({ made }) => !made),
    telling,
  }
}

/** `efficient` and `efficiency`: one root, told by a long common beginning. */
const sameRoot = (a: string, b: string): boolean => {
  if (a === b) return true
  const shorter = Math.min(a.length, b.length)
  let same = 0
  while (same < shorter && a[same] === b[same]) same += 1
  return same >= 5 && same >= shorter - 2
}

/** The words of a question that say what it is about. */
export const contentOf = (question: string): string[] => [
  ...new Set(subjectWords(question).filter((word) => !generic.has(word) && !/^\d/.test(word))),
]

export const shared = (content: string[], subject: Subject): string[] =>
  content.filter((word) => subject.stems.has(word) || [...subject.stems].some((known) => sameRoot(known, word)))

const chore = new RegExp(
  String.raw`^(?:please\s+|can you\s+|could you\s+|would you\s+|will you\s+|i (?:want|need|would like|'d like)(?: you)? to\s+|i'd like to\s+|help me\s+)*(?:(?:book|order|buy|call|phone|text|email|play|sing|remind|schedule|translate|transfer|pay|cook|bake|draw|paint)\s+(?:me|my|a|an|the|us|to|some|this|that|for|in|${'[\'"]'})|(?:write|compose|make|create|generate|draft)\s+(?:me\s+)?(?:a|an|some)\s+(?:\w+\s+)?(?:poem|story|song|essay|letter|email|joke|script|function|program|code|tweet|slogan|rap)|(?:write|compose)\s+(?:me\s+)?an?\s+(?:\w+\s+){1,2}about|(?:tell|give)\s+me\s+(?:a|another|some)\s+(?:\w+\s+)?(?:joke|story|riddle|poem|fun fact|fact)|turn\s+(?:on|off|up|down)|set\s+(?:an?|my|the)\s+(?:alarm|timer|reminder)|what should i (?:eat|wear|buy|watch|cook|do)|which \w+ should i (?:buy|get|wear|watch))`,
  'i',
)
const arithmetic =
  /^(?:what(?:'s| is)|calculate|compute|solve|how much is)?[\s\d.,+*/x^%()=-]*\d%?\s*(?:[+*/x^=-]|of|times|plus|minus|divided by|multiplied by)[\s\d.,+*/x^%()=-]*\??$/i
const ownLife =
  /\b(?:my (?:car|phone|account|bank|card|flight|house|home|wife|husband|girlfriend|boyfriend|dog|cat|mom|dad|birthday|alarm|bill|bills|insurance|credit|paycheck)|to a (?:child|five-year-old|toddler)|like i'?m (?:five|5)|should i (?:buy|wear|eat|watch|invest))\b/i
const aboutDocuments =
  /\b(?:the|this|these|your|according to)\s+(?:\w+\s+)?(?:reports?|documents?|papers?|articles?|text|tables?|section|documentation|docs|guide|manual|polic(?:y|ies)|handbook|collections?)\b/i

/** Everyday talk is about something else; of what papers speak of too, the thinner a description, the more there must be, and headings do not tell of it all. */
const isIdle = (content: string[], { stems, written }: Subject): boolean => {
  const foreign = content.filter((word) => !stems.has(word))
  const doubtful = foreign.filter((word) => atWork.has(word)).length
  return (
    foreign.some((word) => everyday.has(word)) ||
    (written && doubtful > 0.6 * content.length * Math.max(0, 1 - stems.size / tellingWords))
  )
}

export type Relation = 'covered' | 'unclear' | 'outside' | 'chore'

/** How a question stands to what the collections describe; a chore is no question to documents at all. A thin description leaves it unclear, and so do headings: they exclude little. */
export const relationTo = (question: string, subject: Subject): { relation: Relation; words: string[] } => {
  const content = contentOf(question)
  const common = shared(content, subject)
  const isName = (word: string): boolean => new RegExp(String.raw`\b\p{Lu}`, 'u').test(tokensAsWritten(question, word))
  const topical = common.filter((word) => !isName(word))
  const idle = isIdle(content, subject) || ownLife.test(question)
  if (arithmetic.test(question.trim()) || (chore.test(question.trim()) && topical.length === 0))
    return { relation: 'chore', words: common }
  if (idle && topical.length === 0 && (!subject.partial || ownLife.test(question)))
    return { relation: 'outside', words: common }
  if (common.length > 0 || aboutDocuments.test(question)) return { relation: 'covered', words: common }
  // What goes by an identifier stands in documents and hardly ever in what describes them.
  const identified = /\p{L}_\p{L}/u.test(question)
  return {
    relation: subject.written && !identified && subject.telling && content.length > 0 ? 'outside' : 'unclear',
    words: [],
  }
}

/** How the question writes the word with this stem. */
const tokensAsWritten = (question: string, wanted: string): string =>
  Array.from(question.matchAll(/[\p{L}\p{N}_]+/gu), ([word]) => word).find((word) => stem(fold(word)) === wanted) ?? ''

/** Asked of the first collections only where their words are in the question; with no such word, of all. */
export const collectionsFor = (question: string, cards: CollectionCard[]): string[] => {
  const content = contentOf(question)
  const scored = cards.map((card) => ({
    name: card.name,
    count: shared(content, subjectOf([card])).length,
    thin: card.made === 'part' || tokens(card.description).length < 6,
  }))
  const most = Math.max(0, ...scored.map(({ count }) => count))
  const kept = scored.filter(({ count, thin }) => thin || count * 2 >= most)
  return (most === 0 ? scored : kept).map(({ name }) => name)
}
