import { names, numbers, sentences, subjectWords, tokens, withoutCitations, words, years } from '@plumbline/knowledge/text'

const asksForYear = /\b(?:when|what year|which year|in what year)\b/i
const asksForNumber = /\b(?:how (?:many|much|old|long|tall|far|large|high)|what (?:number|percentage|share|value))\b/i

/** Names that the question does not hold already, longest run first seen. */
const newNames = (question: string, sentence: string): string[] => {
  const asked = new Set(tokens(question))
  return names(sentence).filter((name) => !tokens(name).every((token) => asked.has(token)))
}

/** After a linking word the sentence says what its subject is. */
const predicate = (sentence: string): string => /\b(?:is|was|are|were|by|called|named)\s+(.+?)[.;]?$/i.exec(sentence)?.[1] ?? sentence

const remainder = (question: string, sentence: string): string => {
  const asked = new Set(subjectWords(question))
  const left = predicate(sentence).split(/\s+/).filter((word) => !words(word).some((form) => asked.has(form)))
  return left.join(' ').replace(/^(?:a|an|the|of|in|by|to)\s+/i, '')
}

/** The words of an answer that can stand in another question: the year, number or name asked for, or else what is left of its first sentence. */
export const shortAnswer = (question: string, answer: string): string => {
  const [sentence = ''] = sentences(withoutCitations(answer))
  const [year] = asksForYear.test(question) ? years(sentence) : []
  const [number] = asksForNumber.test(question) ? numbers(sentence) : []
  const [name] = newNames(question, sentence)
  return (year ?? number?.raw ?? name ?? remainder(question, sentence).replace(/[.?!]$/, '')).trim()
}

const asking = /^(?:please\s+)?(?:who|whom|whose|what|which|where|when|why|how)\b\s*(?:(?:is|are|was|were|did|does|do)\b\s*)?/i

/** What a question is about, for the case that it found no answer: `Who founded Acme?` → `founded Acme`. */
export const subjectOf = (question: string): string => question.replace(asking, '').replace(/[?.!\s]+$/, '')

export const placeholder = (step: number): RegExp => new RegExp(`#${step}(?!\\d)`, 'g')

export const fillIn = (question: string, step: number, words: string): string => question.replace(placeholder(step), () => words)
