import { keywords } from '../wording/keywords'
import { nameRuns } from '../wording/name-runs'
import { sentences, subjectWords, years } from '@plumbline/knowledge/text'

const wh = '(?:what|which|who|whom|whose|when|where|why|how)'
const request = '(?:retrieve|list|give|show|tell|find|compare|contrast|explain|describe|summari[sz]e|name|state|identify|report|provide|look up|get|fetch|calculate)'
const auxiliary = '(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)'
const opening = new RegExp(`^(?:and |but |then |please |also |,|so )*(?:${wh}|${request}|${auxiliary}|in which|for which|by how|of which|i (?:need|want|would like)|what's|who's)\\b`, 'i')
const joint = new RegExp(
  `(?:[;,]\\s*(?:and\\s+|then\\s+)*also\\b,?\\s*|\\s+and\\s+also\\b\\s*|;\\s*(?:and\\s+)?|,\\s*(?:and\\s+)(?:then\\s+)?(?=(?:${wh}|${request})\\b(?!\\s+to\\b))|\\s+and\\s+(?:then\\s+)?(?=(?:${wh}\\s+(?!to\\b)|${request}\\s+(?:me\\s+|the\\s+|all\\s+|its\\s+)))|[.!]\\s+(?=(?:also|and|please|then|${request})\\b))`,
  'i',
)
const fragment = /^(?:and|or|also|but)?\s*(?:(?:what|how) about\s+)?((?:for|in|of|at|during)\s+)?(?:the\s+)?(.+)$/i
const pronoun = /\b(?:it|its|they|them|their|theirs|there|he|his|him|she|her|hers|(?:that|this|those|these) (?:one|ones|place|region|company|year|country|city|person|value|time))\b/i

const asks = (clause: string): boolean => opening.test(clause) || clause.endsWith('?')

const tidy = (clause: string): string => {
  const bare = clause.replace(/^(?:[,;.\s]+|(?:and|also|then|but|so|please)\b,?\s*)+/i, '').replace(/[\s,;]+$/, '')
  const cased = bare.charAt(0).toUpperCase() + bare.slice(1)
  if (/[?.!]$/.test(cased)) return cased
  return new RegExp(`^(?:${wh}|${auxiliary}|in which|what's|who's)\\b`, 'i').test(cased) ? `${cased}?` : `${cased}.`
}

/** Cuts a sentence where a second question or request begins; a piece that asks nothing by itself stays with the one before it. */
const cut = (sentence: string): string[] => {
  const pieces: string[] = []
  let rest = sentence
  for (let match = joint.exec(rest); match; match = joint.exec(rest)) {
    const [before, after] = [rest.slice(0, match.index), rest.slice(match.index + match[0].length)]
    if (!opening.test(before.trim()) || subjectWords(before).length === 0 || subjectWords(after).length === 0) break
    pieces.push(before)
    rest = after
  }
  return [...pieces, rest].map((piece) => piece.trim())
}

/** `And in 2023?`, `What about Milan?`: the question before, with its year or name replaced. */
const completed = (clause: string, before: string): string | null => {
  if (!/^(?:and|or|but|what about|how about)\b/i.test(clause) || new RegExp(`^(?:and|or|but)\\s+(?:${wh}|${request}|${auxiliary})\\b`, 'i').test(clause.replace(/^(?:and\s+)?(?:what|how) about/i, '')))
    return null
  const said = fragment.exec(clause.replace(/[?.!]+$/, ''))?.[2] ?? ''
  const [oldYears, newYears] = [years(before), years(said)]
  const [oldNames, newNames] = [nameRuns(before), nameRuns(`about ${said}`)]
  let whole = before
  const lastName = oldNames.at(-1)
  if (newNames.length > 0 && lastName) whole = whole.replace(lastName, newNames.join(' and '))
  const [first] = oldYears
  const span = first && oldYears.length > 1 ? new RegExp(`${first}.*${oldYears.at(-1) ?? first}`) : first
  if (newYears.length > 0 && span) whole = whole.replace(span, newYears.join(' and '))
  return whole === before ? `${before.replace(/[?.!]+$/, '')} (${said})?` : whole
}

/** What a later question leaves to the one before it: whom it speaks of, and when. */
const carried = (clause: string, before: string): string => {
  const whole = completed(clause, before)
  if (whole) return whole
  const end = /[?.!]+$/.exec(clause)?.[0] ?? ''
  const bare = clause.slice(0, clause.length - end.length)
  const own = nameRuns(bare)
  const [subject] = nameRuns(before)
  const dates = years(bare).length === 0 && /\b(?:the|its|their)\b/i.test(bare) ? years(before) : []
  if (own.length > 0 && !pronoun.test(bare)) return clause
  if (pronoun.test(bare)) return `${bare} (${subject ?? keywords(before).join(' ')})${end}`
  if (subject && subjectWords(bare).length <= 2) return `${bare} for ${subject}${dates.length > 0 ? ` in ${dates.join(' and ')}` : ''}${end}`
  return clause
}

/** The questions and requests a text makes, each made to stand alone. A statement between them stays only where a question leans on it. */
export const clauses = (question: string): string[] => {
  const pieces = sentences(question).flatMap((sentence) => cut(sentence))
  if (pieces.length < 2 || !pieces.some(asks)) return [question.trim()]
  const found: string[] = []
  let said = ''
  for (const piece of pieces) {
    if (!asks(piece) && !/^(?:and|also|what about|how about)\b/i.test(piece)) {
      said = `${said} ${piece}`.trim()
      continue
    }
    const before = found.at(-1)
    if (before) found.push(tidy(carried(piece, before)))
    else found.push(said !== '' && pronoun.test(piece) ? `${said} ${piece}` : tidy(piece))
  }
  return found.length > 0 ? found : [question.trim()]
}
