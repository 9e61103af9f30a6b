import {
  coverage,
  names,
  numbers,
  sentences,
  stopWords,
  subjectWords,
  tokens,
  withoutCitations,
  words,
  years,
} from '@plumbline/knowledge/text'
import { isPerson, isPlace } from '@plumbline/skills/plan/kinds'

type Asked = 'year' | 'number' | 'person' | 'region' | 'place' | 'thing'
type Candidate = { name: string; start: number; end: number; chained: number }

const wide = new Set(['state', 'country', 'nation', 'province', 'region', 'continent', 'territory', 'county'])

/** The first word that says what kind of answer is wanted. */
const askedFor = (question: string): Asked => {
  if (/\b(?:how (?:many|much|old|long|tall|far|large|high)|what (?:number|percentage|share|value))\b/i.test(question))
    return 'number'
  for (const token of tokens(question)) {
    if (token === 'when' || token === 'year') return 'year'
    if (token === 'who' || token === 'whom' || token === 'whose' || isPerson(token)) return 'person'
    if (wide.has(token)) return 'region'
    if (token === 'where' || token === 'birthplace' || isPlace(token)) return 'place'
  }
  return 'thing'
}

const month =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i
const people = /(?:an|ese|ish|ic|ch)$/

/** `American` before `rock band` names nobody. */
const isAdjective = (name: string, after: string): boolean => {
  const next = /^[\s-]([\p{Ll}-]+)/u.exec(after)?.[1]
  return !name.includes(' ') && people.test(name) && next !== undefined && !stopWords.has(next)
}
const isQuoted = (before: string): boolean => (before.match(/["“”]/g)?.length ?? 0) % 2 === 1

/** Names the question does not hold already; `chained` counts the places written before one, as in `Springfield, Illinois`. */
const candidatesOf = (question: string, sentence: string): Candidate[] => {
  const asked = new Set(tokens(question))
  const found: Candidate[] = []
  let at = 0
  for (const name of names(sentence)) {
    const start = sentence.indexOf(name, at)
    if (start < 0) continue
    at = start + name.length
    const known = tokens(name).filter((token) => asked.has(token)).length / Math.max(1, tokens(name).length)
    if (known > 0.5 || month.test(name) || isAdjective(name, sentence.slice(at)) || isQuoted(sentence.slice(0, start)))
      continue
    const last = found.at(-1)
    const follows = last !== undefined && /^,\s(?:[a-z]+\s)?$/.test(sentence.slice(last.end, start))
    found.push({ name, start, end: at, chained: follows ? last.chained + 1 : 0 })
  }
  return found
}

const alias = /(?:known as|called|\bor|formerly)\s+(?:the\s+)?["“]?$/i
const cues: Record<'person' | 'place', RegExp> = {
  person: /\b(?:by|under)\s+(?:[a-z-]+\s+){0,5}$/,
  place: /\b(?:in|at|from|near|on|of)\s+(?:the\s+)?(?:[a-z-]+\s+){0,3}$/,
}
/** Smaller than a state. */
const narrow = /\b(?:county|counties|city|town|district|region|area)$/i
const withNext = (sentence: string, { name, end }: Candidate): string =>
  name + (/^\s\w+/.exec(sentence.slice(end))?.[0] ?? '')
const firstVerb = /\b(?:is|was|are|were|by|in|has|had|became)\b/

const fitness = (asked: Asked, sentence: string, candidate: Candidate): number => {
  const { name, start, chained } = candidate
  const before = sentence.slice(0, start)
  let score = firstVerb.test(before) ? 1 : 0
  if (alias.test(before)) score -= 2
  if (before.lastIndexOf('(') > before.lastIndexOf(')')) score -= 0.5
  if (asked === 'person') score += (cues.person.test(before) ? 3 : 0) + (name.includes(' ') ? 0.5 : 0)
  if (asked === 'place') score += cues.place.test(before) ? 2 : 0
  if (asked === 'region')
    score +=
      (cues.place.test(before) || chained > 0 ? 2 : 0) +
      chained -
      (narrow.test(name) || narrow.test(withNext(sentence, candidate)) ? 2 : 0)
  return score
}

const bestName = (asked: Asked, question: string, sentence: string): string | undefined =>
  candidatesOf(question, sentence)
    .map((candidate) => ({ ...candidate, score: fitness(asked, sentence, candidate) }))
    .sort((a, b) => b.score - a.score || a.start - b.start)[0]?.name

/** After a linking word the sentence says what its subject is. */
const predicate = (sentence: string): string =>
  /\b(?:is|was|are|were|by|called|named)\s+(.+?)[.;]?$/i.exec(sentence)?.[1] ?? sentence

const remainder = (question: string, sentence: string): string => {
  const asked = new Set(subjectWords(question))
  const left = predicate(sentence)
    .split(/\s+/)
    .filter((word) => !words(word).some((form) => asked.has(form)))
  return left
    .join(' ')
    .replace(/^(?:a|an|the|of|in|by|to)\s+/i, '')
    .replace(/[.?!]$/, '')
}

/** `X is the largest …`: all that the question says stands behind the verb, and what it asks for before it. */
const subjectIn = (question: string, sentence: string): string | undefined => {
  const [, subject = '', told = ''] = /^(\p{Lu}[^,;:]*?)\s(?:is|was|are|were)\s([^,;:]+)/u.exec(sentence) ?? []
  const asked = subjectWords(question)
  const named =
    words(subject).length > 0 &&
    subject.split(/\s+/).every((word) => !stopWords.has(word.toLowerCase()) && !asked.includes(words(word)[0] ?? ''))
  return named && asked.length > 1 && coverage(asked, words(told)) === 1 ? subject : undefined
}

const mostWords = 8

/** The words of an answer that can stand in another question: the year, number or name asked for, or else what is left of its first sentence; nothing where that is too long. */
export const shortAnswer = (question: string, answer: string): string => {
  const [sentence = ''] = sentences(withoutCitations(answer))
  const asked = askedFor(question)
  const figure = asked === 'year' ? years(sentence)[0] : asked === 'number' ? numbers(sentence)[0]?.raw : undefined
  const short = (
    figure ??
    subjectIn(question, sentence) ??
    bestName(asked, question, sentence) ??
    remainder(question, sentence)
  ).trim()
  return short.split(/\s+/).length > mostWords ? '' : short
}
