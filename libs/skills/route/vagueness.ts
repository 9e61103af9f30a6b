import { fold, stem, tokens, years } from '@plumbline/knowledge/text'
import { nameRuns } from '../wording/name-runs'
import { contentOf, shared } from './topic'
import type { Subject } from './topic'
import { instanceNouns, measures, placeNouns, properties, scopes, valueNouns } from './vocabulary'

export type Missing = 'whom' | 'which' | 'what' | 'when'

const isAcronym = (name: string): boolean => /^\p{Lu}[\p{Lu}\p{N}]{1,6}$/u.test(name)
const noun = (words: ReadonlySet<string>, word: string | undefined): boolean =>
  word !== undefined && words.has(stem(fold(word)))

const asking = /^(?:so\s+|ok(?:ay)?,?\s+|please\s+)*(?:can|could|would|will) you\s+(?:please\s+)?|^(?:please|so)\s+/i
const fragment =
  /^(?:and|or|but|also|what about|how about)\b(?!.*\b(?:is|are|was|were|do|does|did|has|have|had|retrieve|list|show|compare)\b)/i
const expletive =
  /\b(?:is|was|does|did|will|would|can) it (?:true|possible|necessary|ok|okay|safe|legal|take|takes|cost|make sense|matter|mean|work that)\b|\bhow long (?:does|did|will) it\b|\bwhat time is it\b/i
const asSubject =
  /\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|about|of|for|with|to|on|in|compare|explain|describe|summarise|summarize|list|retrieve|show)\s+(it|they|them|he|she|him|her|this|these|those|that)\b(?=\s*(?:[?.!,]|$)|\s+\p{L})/iu
const owned = /\b(?:its|their|his|her)\s+[\p{L}\p{N}-]+/iu
const pointed =
  /(?:^|\b(?:of|for|in|at|on|about|from|with|to|by|is|was|did|does|do|are|were|compare)\s+)(?:that|this|those|these|the same|the (?:other|former|latter|previous|following|above|next|first|second|third|fourth|last))\s+(?:[\p{Ll}]+\s+)?([\p{L}-]+)/iu
const before = /\bthan (?:the )?(?:year|month|quarter|one|last|previous)\b/i

/** What stands before a place in the text and can be what a later pronoun means. */
const antecedent = (question: string, at: number): boolean => {
  const earlier = question.slice(0, at)
  if (nameRuns(`x ${earlier}`).some((name) => !isAcronym(name)) || /"[^"]+"/.test(earlier)) return true
  return (
    /[,.;?]|\b(?:and|when|if|while|because|after|before|once|that)\b/i.test(earlier) && contentOf(earlier).length > 0
  )
}

/** A reference to something that was never named. */
const leansOnNothing = (question: string): boolean => {
  const text = question.trim().replace(asking, '')
  if (
    fragment.test(text) &&
    contentOf(text).filter((word) => !instanceNouns.has(word) && !scopes.has(word)).length <= 2
  )
    return true
  const named = nameRuns(text).some((name) => !isAcronym(name))
  const pronoun = expletive.test(text) ? null : asSubject.exec(text)
  if (pronoun && !/^(?:this|that|these|those)$/i.test(pronoun[1] ?? '') && !antecedent(text, pronoun.index)) return true
  if (
    pronoun &&
    /^(?:this|that|these|those)$/i.test(pronoun[1] ?? '') &&
    /^[?.!,\s]*$/.test(text.slice(pronoun.index + pronoun[0].length)) &&
    !antecedent(text, pronoun.index)
  )
    return true
  const own = owned.exec(text)
  if (own && !antecedent(text, own.index) && contentOf(text.slice(0, own.index)).length === 0) return true
  const pointing = pointed.exec(text)
  if (pointing && !named && (noun(instanceNouns, pointing[1]) || noun(instanceNouns, pointing[0].split(/\s+/).at(-2))))
    return true
  return before.test(text) && !named && years(text).length === 0
}

/** Which quantities the description tells of as reported for many places and times. */
const isMeasure = (word: string, subject: Subject): boolean => {
  if (measures.has(word)) return true
  if (!/^\p{L}{2,6}$/u.test(word)) return false
  const defined = new RegExp(
    String.raw`([^.\n(]{3,60})\(${word}\)(?:\s+by\b|\s+is\s+the\s+(?:average|ratio|share|percentage|number|amount|rate))?`,
    'iu',
  ).exec(subject.text)
  return (
    defined !== null &&
    (/\)\s+(?:by|is)/.test(defined[0]) || tokens(defined[1] ?? '').some((part) => measures.has(stem(part))))
  )
}

const variesByYear = ({ text }: Subject): boolean =>
  years(text).length >= 2 ||
  /\b(?:by year|per year|each year|annual|yearly|quarterly|by (?:month|quarter)|and year)\b/i.test(text)
const variesByPlace = ({ text }: Subject): boolean =>
  Array.from(
    text.matchAll(/\b(?:by|per|each|for (?:that|each|every)|several|between)\s+(?:\p{L}+\s+)?(\p{L}+)/giu),
  ).some(([, word]) => noun(placeNouns, word))

const timed =
  /\b(?:today|now|currently|latest|current|recent|so far|over (?:time|the years)|trend|ever|since|until|by \d{4}|this (?:year|month|quarter)|last (?:year|month|quarter)|next year|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4])\b/i
const definition =
  /^(?:what(?:'s| is| are| does)|define|explain|describe)\s+(?!the\b|an?\b)(?:(?!(?:of|in|for|at|by|during)\b)[\p{L}\p{N}-]+\s*){1,4}[?.]*$|\b(?:defin\w+|mean(?:s|ing)?|stands? for|calculated|measured|formula|explain|describe|why|how (?:is|are|was|were|does|do|can|to)\b)/iu
const wide =
  /\b(?:which|who|compare|list|all|every|each|why|across|between|change[ds]?|improve[ds]?|increase[ds]?|decrease[ds]?|grow|grew|rose|fell|how (?:do|does|to|can))\b/i
const bareInstance = /\b(?:the|your|our)\s+(?:\p{Ll}+\s+)?(\p{Ll}+)\b/gu

/** What a question about a reported quantity leaves open, where its values differ by place and time. */
const openSlots = (question: string, subject: Subject): Missing[] => {
  const content = contentOf(question)
  const acronyms = nameRuns(`x ${question}`).filter(isAcronym)
  const quantity = content.filter((word) => isMeasure(word, subject))
  const names = nameRuns(question).filter((name) => !(isAcronym(name) && isMeasure(fold(name), subject)))
  const ofNames = new Set(names.flatMap((name) => tokens(name).map((token) => stem(token))))
  const dated = years(question).length > 0 || timed.test(question)
  const scoped = content.some((word) => scopes.has(word)) || tokens(question).some((word) => scopes.has(stem(word)))
  const known = shared(content, subject)
  const particular = content.filter(
    (word) =>
      !isMeasure(word, subject) &&
      !instanceNouns.has(word) &&
      !valueNouns.has(word) &&
      !known.includes(word) &&
      !ofNames.has(word),
  )
  if (
    quantity.length === 0 &&
    /^(?:what(?:'s| is| was) the)\s+\S+(?:\s+(?:value|number|figure))?\s*[?.]*$/i.test(question.trim()) &&
    acronyms.length === 1 &&
    known.length === 0
  )
    return ['whom', 'when']
  if (
    /^how much\b.*\b(?:was|were|did)\b/i.test(question.trim()) &&
    names.length === 0 &&
    !dated &&
    !scoped &&
    variesByYear(subject)
  )
    return ['whom', 'when']
  if (
    names.length === 0 &&
    content.length > 0 &&
    content.every((word) => properties.has(word) || valueNouns.has(word)) &&
    !wide.test(question)
  )
    return ['whom']
  if (quantity.length === 0 || scoped || wide.test(question) || definition.test(question.trim())) return []
  const place = names.length > 0 || particular.length > 0
  const missing: Missing[] = []
  if (!place && (!dated || variesByPlace(subject))) missing.push('whom')
  if (
    !dated &&
    (variesByYear(subject) || missing.length > 0) &&
    known.length + quantity.length > 0 &&
    particular.length === 0
  )
    missing.push('when')
  return missing
}

/** What keeps a question from being looked up; nothing when it can be. */
export const missingFrom = (question: string, subject: Subject): Missing[] => {
  if (leansOnNothing(question)) return ['which']
  const content = contentOf(question)
  const wanted = content.filter((word) => !instanceNouns.has(word))
  const named = nameRuns(question).filter((name) => !isAcronym(name))
  const topics = wanted.filter(
    (word) => !scopes.has(word) && !named.some((name) => tokens(name).some((token) => stem(token) === word)),
  )
  const asksForValue = tokens(question).some((word) => valueNouns.has(stem(word)))
  if (topics.length === 0 && (named.length === 0 || asksForValue))
    return named.length === 0 && years(question).length === 0 ? ['which', 'what'] : ['what']
  const bare = Array.from(question.matchAll(bareInstance)).some(
    ([phrase, last]) =>
      noun(placeNouns, last) && !/s$/.test(last ?? '') && !tokens(phrase).some((word) => scopes.has(stem(word))),
  )
  if (
    bare &&
    named.length === 0 &&
    years(question).length === 0 &&
    !wide.test(question) &&
    topics.length <= 3 &&
    variesByPlace(subject)
  )
    return ['whom', 'when']
  return openSlots(question, subject)
}
