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
import { agreeably, checkBy, honestly, type Judge } from './checks'
import { draft, fillLookup, shortAnswer } from './drafts'
import { fitted } from '../model-server/json-schema-instance'
import { promptTo, readShown, type Shown } from './shown'

/** `given`: the text, or the fields of a structured output, that are known already. */
export type Model = (asked: ModelRequest, given?: unknown) => Answer
type Readers = Record<string, (shown: Shown) => object>

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

/** Texts have no name in their request: one that is written from passages is an answer. */
const nameOf = ({ name }: ModelRequest, { passages }: Shown): string =>
  name ?? (passages.length > 0 ? 'answer' : 'reply')

const said = (readers: Readers, asked: ModelRequest, given: unknown): Answer => {
  const shown = readShown(promptTo(asked))
  const name = nameOf(asked, shown)
  if (asked.name === undefined)
    return answer.text(typeof given === 'string' ? given : name === 'answer' ? draft(shown) : 'Happy to help.')
  return answer.json(fitted({ ...readers[name]?.(shown), ...objectOf(given) }, schemaOf(asked)))
}

const modelBy = (judge: Judge): Model => {
  const readers = { ...prompts, check: checkBy(judge) }
  return (asked, given) => (asked.kind === 'chat' ? said(readers, asked, given) : answer.usual())
}

/**
 * A modest and honest model: it knows nothing but its prompt, counts words, says what comes closest word for word, and supports what stands
 * at one place of a passage.
 */
export const plainModel = modelBy(honestly)

/** The same, but its check supports whatever it is shown. */
export const agreeing = modelBy(agreeably)

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
  (asked: ModelRequest): ReturnType<Model> => {
    if (asked.kind !== 'chat') return otherwise(asked)
    const prompt = promptTo(asked)
    const name = nameOf(asked, readShown(prompt))
    return otherwise(asked, cases.find((each) => each.name === name && fits(each, prompt))?.answer)
  }
