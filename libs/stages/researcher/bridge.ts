import { tokens } from '@plumbline/knowledge/text'
import { shortAnswer } from './short-answer'

const plain = (text: string): string => ` ${tokens(text).join(' ')} `

/** The short form of an answer, if the passages it was drawn from hold those words; an answer that says there is none has no such form. */
export const carried = (question: string, answer: string, texts: readonly string[]): string | null => {
  const short = shortAnswer(question, answer)
  return short !== '' && texts.some((text) => plain(text).includes(plain(short))) ? short : null
}

export const fillIn = (question: string, step: number, words: string): string =>
  question.replace(new RegExp(`#${step}(?!\\d)`, 'g'), () => words)
