import { Confidence, type Grade } from '@plumbline/contracts'
import { z } from 'zod'
import { askModel, type ModelOf } from '../skill/ask-model'
import type { NumberedPassage, Prompt, Quote } from '../skill/prompt'
import { numberPassages, numbers, passageQuote, questionQuote, withinBudget } from '../skill/prompt'
import type { GradeEvidence, Strictness } from '../skill/skill'

type Input = Omit<Parameters<GradeEvidence>[0], 'passages'> & { passages: NumberedPassage[] }

const bars: Record<Strictness, string> = {
  lenient: 'Be lenient: a passage is relevant if it may help with any part of the question.',
  normal: 'A passage is relevant if it fits the definition.',
  strict: 'Be strict: a passage is relevant only if it states an asked part, about exactly that thing and time.',
}

const passageQuotes = ({ passage, n }: NumberedPassage, against: Input['against']): Quote[] => [
  passageQuote(passage, n),
  ...(against === 'query' && passage.query !== undefined ? [{ name: `query of ${n}`, text: passage.query }] : []),
]

export const gradeEvidencePrompt: Prompt<Input> = {
  name: 'grade-evidence',
  version: 5,
  maxTokens: 1_000,
  system: `You judge which passages are evidence for a question. Judge each by itself, but use a date or a replacement that another passage tells of it.

A passage is relevant if it states the answer or a part of it; gives the unit, legend, scope or validity of a relevant passage; shows that the
documents do not answer (the right table with an empty cell or without the row, the section where it would stand); or shows that the question's premise is wrong. Shared words or a
shared subject are not enough: another thing, place or year is not relevant. A passage in another language counts as one in the question's. A title may not name
its product or place: the section and the collection may.

high: the passages that state what is asked. Of a table: it has a value in the asked row and column.
medium: the passages that are relevant in any other way, as by an empty cell.
rest: one line that says why the other passages are not relevant; null if there are none.
confidence: 0 to 1, in all of this together.
Of the relevant passages:
outdated: those that no longer hold, by their own dates compared with today or by another passage. An old date alone, a contract that has ended or a list
  without a successor is not outdated if nothing newer is known.
lowAuthority: those that are hearsay or opinion.
sensitive: those that advise a person on health, rights or savings, where no single source should decide. An organization's own rules, prices,
  instructions, warnings and figures are not sensitive.`,
  quotes: ({ question, passages, against }) => [
    questionQuote(question),
    ...passages.flatMap((passage) => passageQuotes(passage, against)),
  ],
  task: ({ strictness, passages, against }) =>
    `${bars[strictness]}${against === 'query' ? ' Judge each passage that has a query by that query, not by the question.' : ''} Choose among the passages ${numbers(passages)}.`,
}

const passageNumbers = z.array(z.int())
const Graded = z.object({
  high: passageNumbers,
  medium: passageNumbers,
  rest: z.string().nullable(),
  outdated: passageNumbers,
  lowAuthority: passageNumbers,
  sensitive: passageNumbers,
  confidence: Confidence,
})
type Graded = z.infer<typeof Graded>

const ungraded = (reason: string): Grade => ({ relevant: false, level: 'low', confidence: 0, reason })

const gradeOf = (graded: Graded, n: number): Grade => {
  const { high, medium, rest, confidence, outdated, lowAuthority, sensitive } = graded
  const level = high.includes(n) ? 'high' : medium.includes(n) ? 'medium' : null
  if (!level)
    return { relevant: false, level: 'low', confidence, reason: rest?.trim() || 'It does not bear on the question.' }
  const reason = level === 'high' ? 'It states what is asked.' : 'It states a part of it, or what the answer needs.'
  return {
    ...{ relevant: true, level, confidence, reason },
    ...(outdated.includes(n) && { outdated: true }),
    ...(lowAuthority.includes(n) && { authority: 'low' as const }),
    ...(sensitive.includes(n) && { sensitive: true }),
  }
}

export const llmGradeEvidence =
  (chat: ModelOf, evidenceTokens: number): GradeEvidence =>
  async ({ passages: evidence, ...given }, call) => {
    call.signal.throwIfAborted()
    if (evidence.length === 0) return []
    const passages = numberPassages(withinBudget(evidenceTokens, given.question, evidence))
    const faultIn = ({ high, medium }: Graded): string | null => {
      const named = [...high, ...medium]
      const wrong = named.filter((n, at) => named.indexOf(n) !== at || !passages.some((passage) => passage.n === n))
      return wrong.length === 0
        ? null
        : `Name only given passages, each in one of high and medium; look at ${[...new Set(wrong)].join(', ')}.`
    }
    const request = {
      chat,
      skill: 'gradeEvidence' as const,
      prompt: gradeEvidencePrompt,
      call,
      schema: Graded,
      faultIn,
    }
    const result = await askModel({ ...request, input: { ...given, passages } })
    if (result.kind === 'refused')
      return evidence.map(() => ungraded(`The model refused to grade it: ${result.reason}`))
    return passages.map(({ n }) => gradeOf(result.value, n))
  }
