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
  [/\byear|\bwhen\b|\btime\b|\bperiod\b/i, 'for which year or period'],
  [/\b(?:who|whom|which one|entity|place|region|speaks of|refers?)\b/i, 'whom or which one you mean'],
  [/\b(?:what is wanted|which (?:value|figure|thing)|subject)\b/i, 'what you want to know about it'],
]

const asking = (question: string, logic: string): string => {
  const missing = wanted.flatMap(([sign, what]) => (sign.test(logic) ? [what] : []))
  const need = missing.length > 0 ? missing : ['whom or what you mean, and for which time']
  return `I can look this up once I know more. ${logic.replace(/\s*$/, '').replace(/(?<![.!?])$/, '.')} Please ask again and say ${need.join(' and ')} (your question was: “${question.trim()}”).`
}

export const offlineReply: Reply = ({ question, to, logic, collections }, { signal }) => {
  signal.throwIfAborted()
  return Promise.resolve({ text: to === 'clarify' ? asking(question, logic) : `${opening(question)} ${covered(collections)}` })
}
