import { subjectWords, words } from '@plumbline/knowledge/text'
import type { Route } from './route'

const greeting = /^(?:hi|hello|hey|thanks|thank you|good (?:morning|day|evening)|bye|goodbye|what can you do)\b[^?]{0,40}\??$/i
const leaning = /^(?:and|what about|how about)\b|\b(?:that|this|those|these) (?:region|one|place|company|facility|year)\b/i

export const offlineRoute: Route = ({ question, collections }, { signal }) => {
  signal.throwIfAborted()
  const asked = subjectWords(question)
  const named = collections.map(({ name }) => name)
  if (greeting.test(question.trim())) return Promise.resolve({ to: 'reply', logic: 'This is small talk.', collections: [] })
  if (named.length === 0) return Promise.resolve({ to: 'decline', logic: 'There is no collection to search yet.', collections: [] })
  if (leaning.test(question.trim()) || asked.length === 0)
    return Promise.resolve({ to: 'clarify', logic: 'The question leaves open what it speaks of.', collections: [] })
  const described = new Set(collections.flatMap(({ name, description }) => words(`${name} ${description}`)))
  if (described.size > 25 && !asked.some((word) => described.has(word)))
    return Promise.resolve({ to: 'decline', logic: 'The collections are about something else.', collections: [] })
  return Promise.resolve({ to: 'research', logic: 'The collections may hold this.', collections: named })
}
