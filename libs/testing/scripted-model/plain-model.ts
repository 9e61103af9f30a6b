import { answer, type Answer } from '../model-server/answer'
import { formOf, objectOf, type ModelRequest } from '../model-server/request'
import {
  gradeEvidence,
  plan,
  refineEvidence,
  rewriteQuery,
  route,
  standaloneQuestion,
  summarisePart,
  summariseWhole,
} from './research-answers'
import { agreeably, checkBy, checkPartBy, honestly, type Judge } from './checks'
import { draft, fillLookup, shortAnswer } from './drafts'
import { wireForm } from './wire-forms'
import { fitted } from '../model-server/json-schema-instance'
import { type PromptContent, promptTo, readPrompt } from './prompt-content'

/** A simulated model. `given` is the text of the answer, or some fields of the structured output. */
export type Model = (asked: ModelRequest, given?: unknown) => Answer
type Readers = Record<string, (shown: PromptContent) => object>

const prompts: Readers = {
  route,
  'route-index-or-web': route,
  'route-retrieve-or-not': route,
  'standalone-question': standaloneQuestion,
  plan,
  'rewrite-query': rewriteQuery,
  'grade-evidence': gradeEvidence,
  'refine-evidence': refineEvidence,
  'summarise-part': summarisePart,
  'summarise-whole': summariseWhole,
  'fill-lookup': fillLookup,
  'short-answer': shortAnswer,
}

export const schemaOf = (asked: ModelRequest): unknown => {
  const form = formOf(asked)
  return 'schema' in form ? form.schema : undefined
}

/** Returns the name of a request. For plain text, it is `answer` if the prompt shows passages, or else `reply`. */
const nameOf = ({ name }: ModelRequest, { passages }: PromptContent): string =>
  name ?? (passages.length > 0 ? 'answer' : 'reply')

const modelAnswer = (readers: Readers, asked: ModelRequest, given: unknown): Answer => {
  const shown = readPrompt(promptTo(asked))
  const name = nameOf(asked, shown)
  if (asked.name === undefined)
    return answer.text(typeof given === 'string' ? given : name === 'answer' ? draft(shown) : 'Happy to help.')
  const fields = { ...objectOf(wireForm(name, readers[name]?.(shown))), ...objectOf(wireForm(name, given)) }
  return answer.json(fitted(fields, schemaOf(asked)))
}

const modelBy = (judge: Judge): Model => {
  const readers = { ...prompts, check: checkBy(judge), 'check-part': checkPartBy(judge) }
  return (asked, given) => (asked.kind === 'chat' ? modelAnswer(readers, asked, given) : answer.usual())
}

/** A minimal model that uses only its prompt and judges claims honestly. */
export const plainModel = modelBy(honestly)

/** Like the plain model, but its check supports every claim. */
export const agreeing = modelBy(agreeably)

export type Case = {
  /** The name of the structured output. For plain text, the name is `answer` or `reply`. */
  name: string
  when: string | RegExp
  /** The text, or fields of the structured output. The plain model fills in missing fields. */
  answer: unknown
}

const fits = ({ when }: Case, prompt: string): boolean =>
  typeof when === 'string' ? prompt.includes(when) : prompt.search(when) !== -1

/** Answers with the first case that matches the request. If no case matches, `otherwise` answers. */
export const scriptOf =
  (cases: readonly Case[], otherwise: Model = plainModel) =>
  (asked: ModelRequest): ReturnType<Model> => {
    if (asked.kind !== 'chat') return otherwise(asked)
    const prompt = promptTo(asked)
    const name = nameOf(asked, readPrompt(prompt))
    return otherwise(asked, cases.find((each) => each.name === name && fits(each, prompt))?.answer)
  }
