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
import { wireForm } from './wire-forms'
import { fitted } from '../model-server/json-schema-instance'
import { promptTo, readShown, type Shown } from './shown'

/** `given`: the known text or fields of a structured output. */
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

/** Text requests have no name. One with passages is an answer. */
const nameOf = ({ name }: ModelRequest, { passages }: Shown): string =>
  name ?? (passages.length > 0 ? 'answer' : 'reply')

const said = (readers: Readers, asked: ModelRequest, given: unknown): Answer => {
  const shown = readShown(promptTo(asked))
  const name = nameOf(asked, shown)
  if (asked.name === undefined)
    return answer.text(typeof given === 'string' ? given : name === 'answer' ? draft(shown) : 'Happy to help.')
  const fields = { ...objectOf(wireForm(name, readers[name]?.(shown))), ...objectOf(wireForm(name, given)) }
  return answer.json(fitted(fields, schemaOf(asked)))
}

const modelBy = (judge: Judge): Model => {
  const readers = { ...prompts, check: checkBy(judge) }
  return (asked, given) => (asked.kind === 'chat' ? said(readers, asked, given) : answer.usual())
}

/**
 * A minimal honest model: it knows only its prompt, counts words, quotes the closest parts, and supports claims
 * found in one part of a passage.
 */
export const plainModel = modelBy(honestly)

/** The same, but its check supports every claim. */
export const agreeing = modelBy(agreeably)

export type Case = {
  /** The name of the structured output. Texts are `answer` and `reply`. */
  name: string
  /** A part of the prompt. */
  when: string | RegExp
  /** The text, or fields of the structured output. Missing fields come from the plain model. */
  answer: unknown
}

const fits = ({ when }: Case, prompt: string): boolean =>
  typeof when === 'string' ? prompt.includes(when) : prompt.search(when) !== -1

/** A model with scripted answers. The first matching case wins, and `otherwise` answers if none matches. */
export const scriptOf =
  (cases: readonly Case[], otherwise: Model = plainModel) =>
  (asked: ModelRequest): ReturnType<Model> => {
    if (asked.kind !== 'chat') return otherwise(asked)
    const prompt = promptTo(asked)
    const name = nameOf(asked, readShown(prompt))
    return otherwise(asked, cases.find((each) => each.name === name && fits(each, prompt))?.answer)
  }
