import { subjectWords } from './words'

/** The full stop of an initial or a title ends nothing: `Jon L. Luther`. */
const border =
  /(?<=[!?;]|(?<!(?:^|[\s.])\p{Lu}|\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs))\.)\s+(?=\p{Lu}|also\b|and\b)|;\s+|,?\s+(?:and|as well as)\s+(?=(?:also\s+)?(?:(?:for|in|at|on|by|to|from|since)\s+)?(?:what|how|which|who|when|where|why|retrieve|give|find|list|tell|show|compare)\b)/iu

/** Where one request of a question ends and the next begins. */
export const requests = (question: string): string[] =>
  question
    .split(border)
    .map((part) => part.trim())
    .filter((part, at) => part !== '' && (at === 0 || subjectWords(part).length > 0))
