import { years } from '@plumbline/knowledge/text'
import { nameRuns } from '../wording/name-runs'
import { carried, isAcronym, tidy } from './clauses'

const name = String.raw`(?!(?:19|20)\d\d\b)[\p{Lu}\d][\p{L}\p{N}'’&/-]*(?:\s+(?:of\s+|de\s+)?(?!(?:19|20)\d\d\b)[\p{Lu}\d][\p{L}\p{N}'’&/-]*)*`
const preposition = String.raw`(?:of|for|in|at)`
const verbs = String.raw`(?:please\s+)?(?:retrieve|list|give me|show me|show|tell me|find|report|get|provide|what\s+(?:is|are|was|were)|i need|state)`
const acronym = String.raw`\p{Lu}[\p{Lu}\p{N}-]+`

const bare = (text: string): string => text.replace(/[?.!\s]+$/, '')
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const ending = (text: string): string => /[?.!]+\s*$/.exec(text)?.[0].trim() ?? ''

/** Splitting names is right only where a value of each is wanted: `Barnes and Noble` stays one. */
const wantsValues = (text: string): boolean =>
  years(text).length > 0 ||
  /\b(?:values?|figures?|numbers?|rates?|percentages?|both|each|respectively)\b/i.test(text) ||
  /(?<![\p{L}])\p{Lu}{2,5}(?![\p{L}])/u.test(text)

/** `the PUE for A in 2022 and the CFE for B in 2023` */
const phrases = (text: string): string[] | null => {
  const head = new RegExp(`^(${verbs})\\s+`, 'iu').exec(text)
  if (!head) return null
  const cut = new RegExp(
    String.raw`(?<=\s${preposition}\s+(?:the\s+)?(?:${name}|(?:19|20)\d\d).*?)(?:\s*,)?\s+(?:and|as well as|along with|plus)\s+(?:(?:also|then)\s+)?(?=(?:the\s+)?(?:(?!${preposition}\b)[\p{L}\p{N}-]+\s+){1,6}${preposition}\s+(?:the\s+)?(?:\p{Lu}|\d))`,
    'u',
  ).exec(text)
  if (!cut) return null
  const rest = text.slice(cut.index + cut[0].length)
  return new RegExp(`^(?:${name}|\\d{4})\\s+${preposition}\\b`, 'u').test(rest) &&
    !new RegExp(`^${acronym}\\s`, 'u').test(rest)
    ? null
    : [text.slice(0, cut.index), `${head[1] ?? ''} ${rest}`]
}

/** `the PUE and CFE of …`, `the type and the default value of …` */
const measures = (text: string): string[] | null => {
  const found =
    new RegExp(
      `^(.*?)(${acronym}),?\\s+(?:and|as well as)\\s+(?:the\\s+)?(${acronym})(\\s+(?:values?\\s+)?${preposition}\\s.*)$`,
      'u',
    ).exec(text) ??
    new RegExp(
      `^(.*?)(the\\s+[\\p{L}-]+(?:\\s[\\p{L}-]+){0,2}),?\\s+(?:and|as well as)\\s+(the\\s+[\\p{L}-]+(?:\\s[\\p{L}-]+){0,2})(\\s+${preposition}\\s.*)$`,
      'u',
    ).exec(text)
  if (!found) return null
  const [, head = '', a = '', b = '', tail = ''] = found
  return new RegExp(`\\s${preposition}\\s`).test(head) ? null : [`${head}${a}${tail}`, `${head}${b}${tail}`]
}

/** `for A, B and C in 2023` */
const things = (text: string): string[] | null => {
  if (!wantsValues(text)) return null
  const found = new RegExp(
    `^(.*?\\s${preposition}\\s+(?:the\\s+|both\\s+)?)((?:${name},\\s+)*${name}),?\\s+(?:and|as well as)\\s+(?:${preposition}\\s+)?(?:the\\s+)?(${name})(?!['’]s)(\\s+(?![\\p{Lu}])[^,]*|)$`,
    'u',
  ).exec(text)
  if (!found) return null
  const [, head = '', first = '', last = '', tail = ''] = found
  const rest =
    new RegExp(`^\\s+(?:${preposition}|during|between|from|since|on|respectively)\\b`).test(tail) || tail === ''
  return rest
    ? [...first.split(/,\s+/), last].map(
        (each) => `${head.replace(/both\s+$/, '')}${each}${tail.replace(/\s+respectively$/, '')}`,
      )
    : null
}

/** `the PUE of A in 2022 as well as its CFE`, `A's PUE in 2022 and CFE in 2023`: what comes second leaves its subject to the first. */
const possessed = (text: string): string[] | null => {
  const [, head = '', rest = ''] =
    new RegExp(
      `^(.*\\S?),?\\s+(?:and|as well as)\\s+((?:its|their)\\s+\\p{L}[^,]*|${acronym}(?:\\s+(?:in|for)\\s+\\d{4})?)$`,
      'u',
    ).exec(text) ?? []
  const isOf = (part: string): boolean => nameRuns(`about ${part}`).some((name) => !isAcronym(name))
  if (
    rest === '' ||
    isOf(rest) ||
    !isOf(head) ||
    !wantsValues(head) ||
    (years(rest).length > 0 && years(head).length === 0)
  )
    return null
  return [head, tidy(carried(`and ${rest}`, head))]
}

const single: Record<string, string> = { do: 'does', did: 'did', were: 'was', are: 'is', have: 'has' }
const together =
  /\b(?:common|together|each other|same|between|both|respective|respectively|meet|met|married|related|collaborat\w+)\b/i

/** `How many moons do A and B have?` */
const subjects = (text: string): string[] | null => {
  const found = new RegExp(
    `^((?:how|what|which|when|where)\\b.*?\\s)(do|did|were|are|have)\\s+((?:${name},\\s+)*${name}),?\\s+and\\s+(${name})(\\s+\\p{Ll}.*)$`,
    'u',
  ).exec(text.charAt(0).toLowerCase() + text.slice(1))
  if (!found || together.test(text)) return null
  const [, head = '', verb = '', first = '', last = '', tail = ''] = found
  return [...first.split(/,\s+/), last].map(
    (each) => `${head.charAt(0).toUpperCase()}${head.slice(1)}${single[verb] ?? verb} ${each}${tail}`,
  )
}

const by = String.raw`by whom`
const asks = String.raw`when|where|in (?:which|what) year`

/** `When was X built and by whom?`, `Who designed X and when?`: who and when are told apart. */
const askedTwice = (text: string): string[] | null => {
  const [, a = '', b = '', rest = ''] =
    new RegExp(`^(${asks}|${by})\\s+and\\s+(${asks}|${by})\\s+((?:was|were|is|are)\\s.+)$`, 'i').exec(text) ?? []
  if (rest !== '') return [`${a} ${rest}`, `${capital(b)} ${rest}`]
  const [, first = '', said = '', last = ''] =
    new RegExp(`^(${asks}|${by})\\s+((?:was|were|is|are)\\s.+?),?\\s+and\\s+(${asks}|${by})$`, 'i').exec(text) ?? []
  if (last !== '') return [`${first} ${said}`, `${capital(last)} ${said}`]
  const [, verb = '', thing = '', time = ''] =
    new RegExp(`^who\\s+(\\p{Ll}+ed)\\s+((?:the\\s|an?\\s|${name}).*?),?\\s+and\\s+(${asks})$`, 'u').exec(
      text.replace(/^Who/, 'who'),
    ) ?? []
  return time === ''
    ? null
    : [
        text.slice(0, text.toLowerCase().lastIndexOf(thing.toLowerCase()) + thing.length),
        `${capital(time)} was ${thing} ${verb}`,
      ]
}

const splits = [askedTwice, possessed, phrases, measures, things, subjects]

/** One request for several values, as one request for each. Years stay together: one row of a table answers them. */
export const coordinated = (question: string): string[] => {
  const text = bare(question)
  for (const split of splits) {
    const parts = split(text)
    if (parts) return parts.flatMap((part) => coordinated(/[?.!]$/.test(part) ? part : `${part}${ending(question)}`))
  }
  return [question]
}
