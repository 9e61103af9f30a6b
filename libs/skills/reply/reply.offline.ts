import { sentences } from '@plumbline/knowledge/text'
import type { CollectionCard } from '../route/route'
import type { Reply } from './reply'

const opening = (question: string): string => {
  if (/\b(?:thanks|thank you|thx|cheers|appreciate)/i.test(question)) return 'You are welcome.'
  if (/\b(?:bye|goodbye|good night|see (?:you|ya))\b/i.test(question)) return 'Goodbye.'
  if (/^(?:hi|hello|hey|good (?:morning|day|afternoon|evening))\b/i.test(question.trim())) return 'Hello!'
  return 'I answer questions from documents and check every answer against them.'
}

/** The first sentence, cut at a word when it is long. */
const brief = (description: string): string => {
  const first = sentences(description)[0] ?? description
  return first.length <= 160 ? first : `${first.slice(0, 157).replace(/\s+\S*$/, '')} …`
}

const covered = (collections: CollectionCard[]): string => {
  if (collections.length === 0) return 'No documents are here yet: add some to a collection, then ask about them.'
  return `I can answer from these collections:\n${collections.map(({ name, description }) => `- ${name}: ${brief(description)}`).join('\n')}`
}

const wanted: [RegExp, string][] = [
  [/\b(?:whom?|place|unit|person|entity|refers?|which one)\b/i, 'whom or what you mean, by name'],
  [/\b(?:which (?:value|fact|figure|thing)|what is wanted)\b/i, 'what you want to know about it'],
  [/\b(?:year|period|when|date|time)\b/i, 'for which year or period'],
]
const listed = (all: string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`

const asking = (question: string, logic: string): string => {
  const missing = wanted.flatMap(([sign, what]) => (sign.test(logic) ? [what] : []))
  const why = logic.trim() === '' ? '' : ` ${logic.trim().replace(/(?<![.!?])$/, '.')}`
  return `I need to know more to look up “${question.trim()}”.${why} Could you ask again and say ${listed(missing.length > 0 ? missing : ['whom or what you mean', 'for which time'])}?`
}

export const offlineReply: Reply = ({ question, to, logic, collections }, { signal }) => {
  signal.throwIfAborted()
  return Promise.resolve({
    text: to === 'clarify' ? asking(question, logic) : `${opening(question)} ${covered(collections)}`,
  })
}
