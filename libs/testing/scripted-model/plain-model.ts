import { answer, type Answer, type Asked } from '../model-server'
import { formOf, objectOf } from '../model-server/asked'
import {
  gradeEvidence,
  plan,
  refineEvidence,
  rewriteQuery,
  route,
  summarisePart,
  summariseWhole,
} from './before-drafts'
import { agreeably, checkBy, honestly, type Judge } from './checks'
import { draft, fillLookup, shortAnswer } from './drafts'
import { fitted } from './fitted'
import { promptTo, readShown, type Shown } from './shown'

/** `given`: the text, or the fields of a structured output, that are known already. */
export type Model = (asked: Asked, given?: unknown) => Answer
type Readers = Record<string, (shown: Shown) => object>

const prompts: Readers = {
  route,
  'route-index-or-web': route,
  'route-retrieve-or-not': route,
  plan,
  'rewrite-query': rewriteQuery,
  'grade-evidence': gradeEvidence,
  'refine-evidence': refineEvidence,
  'summarise-part': summarisePart,
  'summarise-whole': summariseWhole,
  'fill-lookup': fillLookup,
  'short-answer': shortAnswer,
}

export const schemaOf = (asked: Asked): unknown => {
  const form = formOf(asked)
  return 'schema' in form ? form.schema : undefined
}

/** Texts have no name in their request: one that is written from passages is an answer. */
export const nameOf = ({ name }: Asked, { passages }: Shown): string =>
  name ?? (passages.length > 0 ? 'answer' : 'reply')

const said = (readers: Readers, asked: Asked, given: unknown): Answer => {
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
