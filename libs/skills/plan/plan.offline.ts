import { sentences } from '@plumbline/knowledge/text'
import type { Plan } from '../skill/skill'

/** A question is split at “and” if one of these question words follows. */
const asking =
  'how|what|which|who|whom|whose|when|where|why|wie|was|welche[rsnm]?|wer|wann|wo|warum|combien|quel(?:le)?s?|qui|quand|où|pourquoi|comment'
const joined = new RegExp(
  `,?\\s+(?:and|und|et)\\s+(?=(?:(?:in|at|on|for|of|by)\\s+)?(?:${asking})(?![\\p{L}\\p{N}]))`,
  'iu',
)
const compared = /^compare\s+(.*?\b(?:of|in|for)\s+)(.+?)\s+(?:and|with|to)\s+(.+?)[.?!]*$/iu

const sidesOf = (question: string): string[] => {
  const [, what, one, other] = compared.exec(question) ?? []
  return what && one && other ? [`${what}${one}`, `${what}${other}`] : []
}

/** A mix of questions and statements is not split, because a statement may be the context of a question. */
const wholeQuestions = (question: string): string[] => {
  const all = sentences(question)
  const asks = all.filter((each) => /[?？]\s*$/u.test(each)).length
  return asks === all.length || asks === 0 ? all : [question]
}

/** Splits only questions that are clearly separate. Questions that depend on each other need a model. */
export const offlinePlan: Plan = async ({ question, maxSteps }, { signal }) => {
  signal.throwIfAborted()
  const sides = sidesOf(question.trim())
  const parts = (sides.length > 0 ? sides : wholeQuestions(question.trim()).flatMap((part) => part.split(joined)))
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const steps = parts.length > 1 && parts.length <= maxSteps ? parts : [question]
  return {
    logic:
      steps.length > 1 ? `${steps.length} questions are asked. Each is searched separately.` : 'One question is asked.',
    steps: steps.map((step) => ({ question: step, waitsFor: null })),
  }
}
