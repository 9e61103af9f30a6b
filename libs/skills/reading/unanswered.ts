import { names } from '@plumbline/knowledge/text'

/** What stands in a step's question for an answer that was not found: words to search by, and words to read. */
export const unanswered = (question: string): string => `the answer to “${question.replace(/[?.!\s]+$/, '')}”`

// Steps that wait for one another nest their questions.
const standIn = /the answer to “.*”/gs

export const withoutUnanswered = (text: string): string => text.replace(standIn, ' ')

/** Whether a question is about nothing but what nobody found: a value given for the words of the stand-in is another thing's. */
export const restsOnUnanswered = (question: string): boolean => {
  const rest = withoutUnanswered(question)
  return rest !== question && names(rest).length === 0
}
