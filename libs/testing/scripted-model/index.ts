import type { Asked } from '../model-server'
import { nameOf, plainModel, type Model } from './plain-model'
import { promptTo, readShown } from './shown'

export { obeying } from './obeying'
export { agreeing, plainModel } from './plain-model'
export { messagesOf, promptTo, readShown } from './shown'

export type Case = {
  /** Of the structured output; texts are called `answer` and `reply`. */
  name: string
  /** Stands in the prompt. */
  when: string | RegExp
  /** The text, or fields of the structured output: those it leaves out are as the plain model gives them. */
  answer: unknown
}

const fits = ({ when }: Case, prompt: string): boolean =>
  typeof when === 'string' ? prompt.includes(when) : prompt.search(when) !== -1

/** A model whose answers are written by hand; the first case that fits wins, and `otherwise` answers where none does. */
export const scriptOf =
  (cases: readonly Case[], otherwise: Model = plainModel) =>
  (asked: Asked): ReturnType<Model> => {
    if (asked.kind !== 'chat') return otherwise(asked)
    const prompt = promptTo(asked)
    const name = nameOf(asked, readShown(prompt))
    return otherwise(asked, cases.find((each) => each.name === name && fits(each, prompt))?.answer)
  }
