import { keywords } from '../wording/keywords'
import { nameRuns } from '../wording/name-runs'
import { sentences, subjectWords, years } from '@plumbline/knowledge/text'

const wh = '(?:what|which|who|whom|whose|when|where|why|how)'
const request =
  '(?:retrieve|list|give|show|tell|find|compare|contrast|explain|describe|summari[sz]e|name|state|identify|report|provide|look up|get|fetch|calculate)'
const auxiliary = '(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)'
const opening = new RegExp(
  `^(?:and |but |then |please |also |,|so )*(?:${wh}|${request}|${auxiliary}|in which|for which|by how|of which|i (?:need|want|would like)|what's|who's)\\b`,
  'i',
)
const follows = `(?:${wh}\\s+(?!to\\b)|${request}\\s+(?:me|us|the|all|both|its|their|how|what|which)\\b)`
const joints = [
  `[;,.]?\\s*(?:\\band\\s+|\\bthen\\s+)?\\balso\\b,?\\s*(?=${follows}|${request}\\b)`,
  `;\\s*(?:and\\s+)?(?=${follows}|and\\b|the\\b)`,
  `,?\\s+and\\s+(?:then\\s+)?(?=${follows})`,
  `(?<=[a-z\\d]{3})[.!]\\s+(?=(?:and\\s+|please\\s+|then\\s+)?${request}\\s+(?:me|us|the|all|both|its|their)\\b)`,
]
const joint = new RegExp(joints.join('|'), 'i')
const fragment = /^(?:and|or|also|but)?\s*(?:(?:what|how) about\s+)?((?:for|in|of|at|during)\s+)?(.+)$/i
const pronoun =
  /\b(?:it|its|they|them|their|theirs|there|he|his|him|she|her|hers|(?:that|this|those|these) (?:one|ones|place|region|company|year|country|city|person|value|time))\b/i

const asks = (clause: string): boolean => opening.test(clause) || clause.endsWith('?')

export const tidy = (clause: string): string => {
  const bare = clause.replace(/^(?:[,;.\s]+|(?:and|also|then|but|so|please)\b,?\s*)+/i, '').replace(/[\s,;]+$/, '')
  const cased = bare.charAt(0).toUpperCase() + bare.slice(1)
  if (/[?.!]$/.test(cased)) return cased
  return new RegExp(`^(?:${wh}|${auxiliary}|in which|what's|who's)\\b`, 'i').test(cased) ? `${cased}?` : `${cased}.`
}

/** What stands in quotes is one name: hidden, at its length, while a sentence is cut. */
const unquoted = (text: string): string => text.replace(/"[^"]*"|“[^”]*”/g, (quoted) => '_'.repeat(quoted.length))

/** A sentence that ends in an abbreviation goes on in the next piece: `under Lt.` `Dunnington's command?` */
const rejoined = (pieces: string[]): string[] => {
  const found: string[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (last?.endsWith('.') && new RegExp(`^(?:${wh}|${auxiliary})\\b`, 'i').test(last) && !opening.test(piece))
      found[found.length - 1] = `${last} ${piece}`
    else found.push(piece)
  }
  return found
}

/** Cuts a sentence where a second question or request begins; a piece that asks nothing by itself stays with the one before it. */
const cut = (sentence: string): string[] => {
  const pieces: string[] = []
  let rest = sentence
  for (let match = joint.exec(unquoted(rest)); match; match = joint.exec(unquoted(rest))) {
    const [before, after] = [rest.slice(0, match.index), rest.slice(match.index + match[0].length)]
    const sentenceEnd = /^[.!]/.test(match[0])
    if (
      (!sentenceEnd && !opening.test(before.trim())) ||
      subjectWords(before).length === 0 ||
      subjectWords(after).length === 0
    )
      break
    pieces.push(before)
    rest = after
  }
  return [...pieces, rest].map((piece) => piece.trim())
}

export const isAcronym = (name: string): boolean => /^\p{Lu}[\p{Lu}\p{N}-]*$/u.test(name)
const leansOn = new RegExp(`^(?:and|or|but)\\s+(?:${wh}|${request}|${auxiliary})\\b`, 'i')

/** `And in 2023?`, `What about Milan?`, `And its size?`: the question before, with its year, its name or its measure replaced. */
const completed = (clause: string, before: string): string | null => {
  if (
    !/^(?:and|or|but|what about|how about)\b/i.test(clause) ||
    leansOn.test(clause.replace(/^(?:and\s+)?(?:what|how) about/i, ''))
  )
    return null
  const said = fragment.exec(clause.replace(/[?.!]+$/, ''))?.[2] ?? ''
  const [oldYears, newYears] = [years(before), years(said)]
  const named = nameRuns(before).filter((name) => !isAcronym(name))
  const newNames = nameRuns(`about ${said}`).filter((name) => !isAcronym(name))
  const subject = named.at(-1)
  const date = (newYears.length > 0 ? newYears : oldYears).join(' and ')
  const measure = /^(?:its|their|his|her|the)?\s*(\p{L}.*)$/u.exec(said.replace(/\s*(?:in|for)?\s*\b\d{4}.*$/, ''))?.[1]
  if (newNames.length === 0 && measure && subject)
    return `What is the ${measure} of ${subject}${date ? ` in ${date}` : ''}?`
  let whole = before
  if (newNames.length > 0 && subject) whole = whole.replace(subject, newNames.join(' and '))
  const [first] = oldYears
  const span = first && oldYears.length > 1 ? new RegExp(`${first}.*${oldYears.at(-1) ?? first}`) : first
  if (newYears.length > 0 && span) whole = whole.replace(span, newYears.join(' and '))
  return whole === before ? `${before.replace(/[?.!]+$/, '')} (${said})?` : whole
}

/** What a later question leaves to the one before it: whom it speaks of, and when. */
export const carried = (clause: string, before: string): string => {
  const whole = completed(clause, before)
  if (whole) return whole
  const end = /[?.!]+$/.exec(clause)?.[0] ?? ''
  const bare = clause.slice(0, clause.length - end.length)
  const own = nameRuns(bare)
  const named = nameRuns(before)
  const subject = named.find((name) => !isAcronym(name)) ?? named[0]
  const dates = years(bare).length === 0 && /\b(?:the|its|their)\b/i.test(bare) ? years(before) : []
  if (own.length > 0 && !pronoun.test(bare)) return clause
  const dated = dates.length > 0 ? ` in ${dates.join(' and ')}` : ''
  if (pronoun.test(bare))
    return `${bare} (${subject ?? keywords(before).join(' ')})${own.some(isAcronym) ? dated : ''}${end}`
  if (subject && subjectWords(bare).length <= 2) return `${bare} for ${subject}${dated}${end}`
  return clause
}

/** The questions and requests a text makes, each made to stand alone. A statement between them stays only where a question leans on it. */
export const clauses = (question: string): string[] => {
  const pieces = rejoined(sentences(question)).flatMap((sentence) => cut(sentence))
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
